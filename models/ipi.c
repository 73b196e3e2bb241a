/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interprocessor interrupts: the sender pays ipi_send_ns, the interrupt arrives
 * ipi_deliver_ns after that, the target pays for its handler (models/cpu.c).
 * An IPI of the same kind that is still under way is not sent twice, as
 * llist_add() of the call-single queue and TIF_NEED_RESCHED see to.
 */
#include "models/machine.h"

static void arrive(struct sim_engine *e, void *ptr, int32_t kind)
{
	struct cpu *c = ptr;

	(void)e;
	c->ipi_in_flight &= ~(1u << kind);
	cpu_interrupt(c, (enum irq_kind)kind);
}

static void send(struct cpu *from, struct cpu *to, enum irq_kind kind)
{
	struct machine *m = from->m;

	cpu_charge(from, m->cost->ipi_send_ns);
	if (to->ipi_in_flight & (1u << kind))
		return;
	to->ipi_in_flight |= 1u << kind;
	sim_at(m->engine, machine_now(m) + from->charge_ns + m->cost->ipi_deliver_ns, PRIO_IRQ,
	       arrive, to, (int32_t)kind);
}

void ipi_resched(struct cpu *from, struct cpu *to, bool by_rcu)
{
	if (by_rcu) {
		to->resched_by_rcu = true;
		from->m->totals->ipi_resched++;
		from->m->totals->ipi_send_ns += from->m->cost->ipi_send_ns;
	}
	send(from, to, IRQ_RESCHED);
}

void ipi_call_lost(struct cpu *from, struct cpu *to, enum call_kind kind)
{
	struct machine *m = from->m;

	to->call_pending |= (unsigned)kind;
	to->call_lost = true;
	to->ipi_in_flight |= 1u << IRQ_CALL;
	m->totals->ipi_send_ns += m->cost->ipi_send_ns;
	cpu_charge(from, m->cost->ipi_send_ns);
}

void ipi_call(struct cpu *from, struct cpu *to, enum call_kind kind)
{
	to->call_pending |= (unsigned)kind;
	from->m->totals->ipi_send_ns += from->m->cost->ipi_send_ns;
	send(from, to, IRQ_CALL);
}
