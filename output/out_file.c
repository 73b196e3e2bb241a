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

/*
 * mkstemp() makes private files. A result is as readable as the file it replaces,
 * and else as any other file of the user.
 */
static void set_mode(int fd, const char *path)
{
	struct stat old;
	mode_t mask = umask(0);
	mode_t mode = 0666 & ~mask;

	umask(mask);
	if (stat(path, &old) == 0)
		mode = old.st_mode & 0777;
	if (fchmod(fd, mode) != 0)
		return;
}

/*
 * Where the file at path really is: renaming must not replace a link to it. NULL:
 * it may not be written, error_number says why. The caller frees.
 */
static char *resolve(const char *path, int *error_number)
{
	char *real = realpath(path, NULL);

	*error_number = errno;
	if (real == NULL && *error_number == ENOENT && *path != '\0') { /* a new file */
		real = rs_calloc(1, strlen(path) + 1);
		memcpy(real, path, strlen(path));
		return real;
	}
	if (real != NULL && access(real, W_OK) != 0) {
		*error_number = errno;
		free(real);
		return NULL;
	}
	return real;
}

static void free_paths(struct out_file *file)
{
	free(file->temp_path);
	free(file->real_path);
	file->temp_path = NULL;
	file->real_path = NULL;
}

bool out_file_open(struct out_file *file, const char *path, struct rs_error *err)
{
	int error_number = 0;
	size_t bytes;
	char *real;
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
	real = resolve(path, &error_number);
	if (real == NULL)
		return fail_write(err, path, error_number);
	bytes = strlen(real) + sizeof(temp_suffix);
	file->real_path = real;
	file->temp_path = rs_calloc(1, bytes);
	snprintf(file->temp_path, bytes, "%s%s", real, temp_suffix);
	fd = mkstemp(file->temp_path);
	if (fd >= 0) {
		set_mode(fd, real);
		file->stream = fdopen(fd, "w");
	}
	if (file->stream == NULL) {
		error_number = errno;
		if (fd >= 0) {
			close(fd);
			unlink(file->temp_path);
		}
		free_paths(file);
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
	if (ok && file->temp_path != NULL && rename(file->temp_path, file->real_path) != 0) {
		ok = false;
		error_number = errno;
	}
	if (!ok && file->temp_path != NULL)
		unlink(file->temp_path);
	free_paths(file);
	return ok || fail_write(err, file->path, error_number != 0 ? error_number : EIO);
}

void out_file_discard(struct out_file *file)
{
	if (file->stream != NULL && !file->is_stdout)
		fclose(file->stream);
	file->stream = NULL;
	if (file->temp_path != NULL)
		unlink(file->temp_path);
	free_paths(file);
}
