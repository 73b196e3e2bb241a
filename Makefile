# SPDX-License-Identifier: GPL-3.0-or-later
# placeholder until the build system lands in the next commit
all:
	@echo "build system is being written"
