/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace text, byte for byte as /sys/kernel/tracing/trace prints it on 6.1
 * (kernel/trace/trace_output.c trace_print_lat_fmt, trace_print_context), so
 * that whatever reads a real trace reads this one.
 */
#include "output/trace_internal.h"

#include <inttypes.h>

/* kernel/trace/trace.c print_func_help_header_irq() */
static const char columns[] = "#                                _-----=> irqs-off/BH-disabled\n"
			      "#                               / _----=> need-resched\n"
			      "#                              | / _---=> hardirq/softirq\n"
			      "#                              || / _--=> preempt-depth\n"
			      "#                              ||| / _-=> migrate-disable\n"
			      "#                              |||| /     delay\n"
			      "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
			      "#              | |         |   |||||     |         |\n";

static char context_char(const struct trace_event *event)
{
	if (event->hardirq)
		return event->softirq ? 'H' : 'h';
	return event->softirq ? 's' : '.';
}

void trace_ftrace_event(struct trace_writer *writer, const struct trace_event *event)
{
	/* ns2usecs() rounds to the nearest */
	int64_t us = (event->at_ns + 500) / NS_PER_US;
	char depth = '.';

	if (event->preempt_depth > 0)
		depth = (char)('0' + (event->preempt_depth < 9 ? event->preempt_depth : 9));
	fprintf(writer->body, "%16s-%-7d [%03d] %c%c%c%c. %5" PRId64 ".%06" PRId64 ": %s: %s\n",
		event->comm, event->pid, event->cpu, event->irqs_off ? 'd' : '.',
		event->need_resched ? 'N' : '.', context_char(event), depth, us / 1000000,
		us % 1000000, event->name, event->fields);
}

int64_t trace_ftrace_finish(struct trace_writer *writer, FILE *stream)
{
	int64_t bytes;

	fflush(writer->body);
	bytes = fprintf(stream,
			"# tracer: nop\n#\n# entries-in-buffer/entries-written: %" PRId64
			"/%" PRId64 "   #P:%d\n#\n%s",
			writer->kept, writer->seen, writer->options.cpus, columns);
	bytes += (int64_t)fwrite(writer->text, 1, writer->text_bytes, stream);
	if (writer->kept < writer->seen)
		bytes += fprintf(stream,
				 "# truncated: the first %" PRId64 " of %" PRId64 " events\n",
				 writer->kept, writer->seen);
	return bytes;
}
