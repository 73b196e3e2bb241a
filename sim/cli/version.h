/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one place that holds the version. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define RCUSIM_VERSION "0.1.0"

#endif
