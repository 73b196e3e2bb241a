/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear whole or not at all (docs/architecture.md), and errors of
 * stdout that are noticed. Guarded by tests/unit/check_output.c, tests/cli.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/output.h"

static const char temp_suffix[] = ".XXXXXX";

static bool is_in_place(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool fail_write(struct rs_error *err, const char *path, int error_number)
{
	return rs_fail(err, RS_IO, NULL, "%s: %s", path, strerror(error_number));
}

/* mkstemp() makes private files; a result is as readable as any other file of the user. */
static void make_readable(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask) != 0)
		return;
}

bool out_file_open(struct out_file *file, const char *path, struct rs_error *err)
{
	size_t bytes;
	int fd;

	*file = (struct out_file){.path = path};
	if (strcmp(path, "-") == 0) {
		file->is_stdout = true;
		file->path = "stdout";
		file->stream = stdout;
		return true;
	}
	if (is_in_place(path)) {
		file->stream = fopen(path, "w");
		return file->stream != NULL || fail_write(err, path, errno);
	}
	bytes = strlen(path) + sizeof(temp_suffix);
	file->temp_path = rs_calloc(1, bytes);
	snprintf(file->temp_path, bytes, "%s%s", path, temp_suffix);
	fd = mkstemp(file->temp_path);
	if (fd >= 0) {
		make_readable(fd);
		file->stream = fdopen(fd, "w");
	}
	if (file->stream == NULL) {
		int error_number = errno;

		if (fd >= 0) {
			close(fd);
			unlink(file->temp_path);
		}
		free(file->temp_path);
		file->temp_path = NULL;
		return fail_write(err, path, error_number);
	}
	return true;
}

bool out_file_probe(const char *path, struct rs_error *err)
{
	struct out_file file;

	/* Opening a pipe to look at it would end its reader. */
	if (strcmp(path, "-") == 0 || is_in_place(path))
		return true;
	if (!out_file_open(&file, path, err))
		return false;
	out_file_discard(&file);
	return true;
}

bool out_file_commit(struct out_file *file, struct rs_error *err)
{
	bool ok;
	int error_number;

	errno = 0;
	ok = fflush(file->stream) == 0 && ferror(file->stream) == 0;
	error_number = errno;
	if (!file->is_stdout) {
		errno = 0;
		if (fclose(file->stream) != 0 && ok) {
			ok = false;
			error_number = errno;
		}
	}
	file->stream = NULL;
	if (ok && file->temp_path != NULL && rename(file->temp_path, file->path) != 0) {
		ok = false;
		error_number = errno;
	}
	if (!ok && file->temp_path != NULL)
		unlink(file->temp_path);
	free(file->temp_path);
	file->temp_path = NULL;
	return ok || fail_write(err, file->path, error_number != 0 ? error_number : EIO);
}

void out_file_discard(struct out_file *file)
{
	if (file->stream != NULL && !file->is_stdout)
		fclose(file->stream);
	file->stream = NULL;
	if (file->temp_path != NULL)
		unlink(file->temp_path);
	free(file->temp_path);
	file->temp_path = NULL;
}
