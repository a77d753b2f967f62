/* SPDX-License-Identifier: MIT */
/*
 * image.h - an executable or a shared library as it will be in memory, without running it.
 *
 * What the dynamic linker will write into it is looked up where it is asked for:
 *
 *	address --> program headers --> bytes in the file
 *	   |
 *	   +------> relocations: R_*_RELATIVE       the addend
 *	                         R_*_64, R_*_ABS64  a symbol of its own, and the addend; 0 where the
 *	                                            symbol is another object's
 *	            none, or in .relr.dyn           what is in the file
 *
 * All addresses are those that the file itself has, as if it were loaded at 0.
 *
 * The file is hostile: each address is checked where it is used, and nothing is larger than the file
 * allows. One thread at a time may use an image.
 */
#ifndef TACHO_ELF_IMAGE_H
#define TACHO_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct elf_image;

/*
 * elf_image_open() - look at a file
 *
 * Return: 0 and an image for elf_image_close(); -ENOEXEC: it is no executable or library, or one
 * that cannot be read, of 32 bits, say; or what open() gave. @error has words.
 */
int elf_image_open(const char *path, struct elf_image **ret_image, struct tacho_error *error);

/* elf_image_open_memory() - the same of a file that is in memory, called @name. */
int elf_image_open_memory(const char *name, void *bytes, size_t size, struct elf_image **ret_image,
			  struct tacho_error *error);

/* NULL is allowed. */
void elf_image_close(struct elf_image *image);

/* What it was opened as, and the processor it is for: "x86_64". */
const char *elf_image_name(const struct elf_image *image);
const char *elf_image_machine(const struct elf_image *image);

/*
 * elf_image_section() - where a section will be
 *
 * Return: 0; -ENOENT: there is none; -ENODATA: there is, but the file has not what is in it, as in
 * one of debugging information.
 */
int elf_image_section(const struct elf_image *image, const char *name, uint64_t *ret_address,
		      uint64_t *ret_bytes);

/* elf_image_has() - whether the file has all these bytes. */
bool elf_image_has(struct elf_image *image, uint64_t address, uint64_t bytes);

/* elf_image_read() - bytes as they are in the file. Return: false where the file has none. */
bool elf_image_read(struct elf_image *image, uint64_t address, void *ret_data, size_t bytes);

/* elf_image_pointer() - the pointer that will be there. Return: 0: NULL, or another object's. */
uint64_t elf_image_pointer(struct elf_image *image, uint64_t address);

/*
 * elf_image_string() - the string at an address
 * @bytes_max: with its 0 byte
 *
 * Return: borrowed from the image; or NULL.
 */
const char *elf_image_string(struct elf_image *image, uint64_t address, size_t bytes_max);

#endif
