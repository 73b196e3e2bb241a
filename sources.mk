# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is built into rcusim and what is installed with it, one file a line,
# sorted (LC_ALL=C sort). tests/tools/check_sources.sh compares with the tree.

SRC := \
	models/config.c \
	models/cpu.c \
	models/ipi.c \
	models/machine.c \
	models/metrics.c \
	models/oracle.c \
	models/oracle_wait.c \
	models/profile.c \
	models/rcu_cblist.c \
	models/rcu_core.c \
	models/rcu_exp.c \
	models/rcu_exp_stop.c \
	models/rcu_flags.c \
	models/rcu_gp.c \
	models/rcu_nocb.c \
	models/rcu_sync.c \
	models/rcu_tree.c \
	models/results.c \
	models/sched.c \
	models/tick.c \
	models/workload.c \
	output/json.c \
	output/out_csv.c \
	output/out_file.c \
	output/out_format.c \
	output/out_json.c \
	output/out_matrix.c \
	output/out_table.c \
	output/out_text.c \
	sim/cli/cmd_check.c \
	sim/cli/cmd_help.c \
	sim/cli/cmd_list.c \
	sim/cli/cmd_run.c \
	sim/cli/cmd_schema.c \
	sim/cli/cmd_version.c \
	sim/cli/commands.c \
	sim/cli/list_platforms.c \
	sim/cli/listing.c \
	sim/cli/main.c \
	sim/cli/options.c \
	sim/engine/arena.c \
	sim/engine/base.c \
	sim/engine/dist.c \
	sim/engine/engine.c \
	sim/engine/rng.c \
	sim/engine/stats.c \
	sim/experiment/experiment.c \
	sim/experiment/pool.c \
	sim/experiment/summary.c \
	sim/scenario/cmdline.c \
	sim/scenario/decode.c \
	sim/scenario/diag.c \
	sim/scenario/document.c \
	sim/scenario/load.c \
	sim/scenario/overrides.c \
	sim/scenario/params.c \
	sim/scenario/platform.c \
	sim/scenario/program.c \
	sim/scenario/scenario.c \
	sim/scenario/schema.c \
	sim/scenario/steps.c \
	sim/scenario/suggest.c \
	sim/scenario/utf8.c \
	sim/scenario/value_dist.c \
	sim/scenario/values.c \
	sim/scenario/yaml_tree.c

HEADERS := \
	models/config.h \
	models/machine.h \
	models/metrics.h \
	models/model.h \
	models/oracle.h \
	models/oracle_internal.h \
	models/profile.h \
	models/rcu.h \
	models/rcu_flags.h \
	models/rcu_tree.h \
	models/results.h \
	output/csv.h \
	output/json.h \
	output/out_format.h \
	output/out_text.h \
	output/output.h \
	sim/cli/cli.h \
	sim/cli/list_platforms.h \
	sim/cli/listing.h \
	sim/cli/options.h \
	sim/cli/version.h \
	sim/engine/arena.h \
	sim/engine/base.h \
	sim/engine/dist.h \
	sim/engine/engine.h \
	sim/engine/engine_internal.h \
	sim/engine/heap.h \
	sim/engine/lane.h \
	sim/engine/rng.h \
	sim/engine/stats.h \
	sim/experiment/experiment.h \
	sim/experiment/pool.h \
	sim/scenario/cmdline.h \
	sim/scenario/decode.h \
	sim/scenario/diag.h \
	sim/scenario/document.h \
	sim/scenario/load.h \
	sim/scenario/overrides.h \
	sim/scenario/params.h \
	sim/scenario/platform.h \
	sim/scenario/scenario.h \
	sim/scenario/schema.h \
	sim/scenario/steps.h \
	sim/scenario/steps_internal.h \
	sim/scenario/suggest.h \
	sim/scenario/utf8.h \
	sim/scenario/values.h \
	sim/scenario/yaml_tree.h

SCENARIOS := \
	scenarios/boot/governors.yaml \
	scenarios/boot/kvm-2015-which-machine.yaml \
	scenarios/boot/kvm-2015.yaml \
	scenarios/boot/lean-6.1.yaml \
	scenarios/platforms/kvm-x86.yaml \
	scenarios/teaching/nesting-counter.yaml \
	scenarios/teaching/one-cpu.yaml \
	scenarios/teaching/one-grace-period.yaml
