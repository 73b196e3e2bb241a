/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of a run's enumerations, one place for all writers. */
#include "models/results.h"

const char *run_stop_name(enum run_stop stop)
{
	switch (stop) {
	case RUN_COMPLETED:
		return "completed";
	case RUN_TIME_LIMIT:
		return "time limit";
	case RUN_EVENT_LIMIT:
		return "event limit";
	case RUN_DEADLOCK:
		return "deadlock";
	case RUN_MODEL_ERROR:
		return "model error";
	case RUN_VIOLATION:
		return "violation";
	case RUN_STOP_COUNT:
		break;
	}
	RS_BUG("unknown run_stop %d", (int)stop);
}

const char *interruption_cause_name(enum interruption_cause cause)
{
	switch (cause) {
	case INTERRUPTION_STOPPER:
		return "stopper";
	case INTERRUPTION_EXP_IPI:
		return "expedited IPI";
	case INTERRUPTION_BARRIER_IPI:
		return "rcu_barrier IPI";
	case INTERRUPTION_KTHREAD:
		return "RCU kthread";
	case INTERRUPTION_SOFTIRQ:
		return "RCU softirq";
	case INTERRUPTION_RESCHED_IPI:
		return "reschedule IPI";
	case INTERRUPTION_CAUSE_COUNT:
		break;
	}
	RS_BUG("unknown interruption_cause %d", (int)cause);
}

const char *wait_path_name(enum wait_path path)
{
	switch (path) {
	case WAIT_NOOP:
		return "no-op";
	case WAIT_NORMAL:
		return "normal";
	case WAIT_EXPEDITED:
		return "expedited";
	case WAIT_CALLBACK:
		return "callback";
	case WAIT_BARRIER:
		return "barrier";
	case WAIT_SRCU:
		return "srcu";
	case WAIT_TASKS:
		return "tasks";
	case WAIT_PATH_COUNT:
		break;
	}
	RS_BUG("unknown wait_path %d", (int)path);
}

bool wait_path_expeditable(enum wait_path path)
{
	switch (path) {
	case WAIT_NORMAL:
	case WAIT_EXPEDITED:
	case WAIT_SRCU:
		return true;
	case WAIT_NOOP:     /* nothing to make shorter */
	case WAIT_CALLBACK: /* call_rcu() never asks the controls */
	case WAIT_BARRIER:
	case WAIT_TASKS:    /* but for the grace periods inside, a small part */
		return false;
	case WAIT_PATH_COUNT:
		break;
	}
	RS_BUG("unknown wait_path %d", (int)path);
}
