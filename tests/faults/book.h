/* SPDX-License-Identifier: MIT */
/*
 * book.h - what writers say of themselves, in a file that outlasts them: of each, how many events it
 * has begun to record, and how many are done. The two differ by at most the one in which it was killed.
 */
#ifndef TACHO_TESTS_FAULTS_BOOK_H
#define TACHO_TESTS_FAULTS_BOOK_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct book_page {
	uint64_t begun;
	uint64_t ended;
};

struct book {
	uint64_t writers;
	struct book_page page[];
};

/* book_check() - what an event of this writer and number has in its field `check` */
static inline uint64_t book_check(uint64_t writer, uint64_t number)
{
	uint64_t x = writer * 0x9e3779b97f4a7c15ull + number;

	x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 29;
}

/* book_open() - @writers: 0: one that is there */
static inline struct book *book_open(const char *path, uint64_t writers)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | (writers ? O_CREAT | O_TRUNC : 0), 0600);
	size_t bytes = sizeof(struct book) + writers * sizeof(struct book_page);
	struct book *book;
	struct stat st;

	if (fd < 0 || (writers && ftruncate(fd, (off_t)bytes)) || fstat(fd, &st)) {
		perror(path);
		exit(1);
	}
	book = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (book == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	close(fd);
	if (writers)
		book->writers = writers;
	return book;
}

#endif
