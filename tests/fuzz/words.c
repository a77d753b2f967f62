/* SPDX-License-Identifier: MIT */
/*
 * words.c - lines of saved sessions (cli/words.h): any bytes end without harm, each word begins where it
 * is said to; and what shell_word() quotes is read as it was.
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>

#include "cli/text.c"
#include "cli/words.c"

static void read_all(const char *text)
{
	struct words_error error = { 0 };
	const char *at = text;
	struct words words;
	int line = 1;
	int err;

	while (!(err = words_next(&at, &line, &words, &error))) {
		assert(words.count > 0 && !words.word[words.count]);
		for (int i = 0; i < words.count; i++)
			assert(words.line[i] >= 1 && words.line[i] <= line && words.column[i] >= 1);
		words_fini(&words);
	}
	assert(err == -ENODATA || (err == -EINVAL && error.line >= 1 && error.column >= 1));
}

static void quote_and_read(const char *text)
{
	char *quoted = shell_word(text);
	char *line_text = xasprintf("  %s # behind\n", quoted);
	struct words_error error;
	const char *at = line_text;
	struct words words;
	int line = 1;

	assert(!words_next(&at, &line, &words, &error));
	assert(words.count == 1 && !strcmp(words.word[0], text) && words.column[0] == 3);
	words_fini(&words);
	assert(words_next(&at, &line, &words, &error) == -ENODATA);
	free(line_text);
	free(quoted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	read_all(text);
	quote_and_read(text);
	free(text);
	return 0;
}
