/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formatting into a buffer. No state, no locks; safe on any CPU at any time, in exception handlers too.
 *
 * A conversion it does not know is copied as it stands: the compiler checks formats, and a panic must not panic.
 */
#include "lib/printf.h"
#include "lib/string.h"

struct sink {
	char *buf;
	size_t size;
	size_t n; /* characters so far, those that did not fit included */
};

struct spec {
	bool left, zero;
	size_t width;
	bool has_precision;
	size_t precision; /* strings only */
	unsigned bytes; /* of an integer argument: 4 or 8 */
};

static void put(struct sink *out, char c)
{
	if (out->n < out->size) /* the last one makes room for the end later */
		out->buf[out->n] = c;
	out->n++;
}

static void put_times(struct sink *out, char c, size_t times)
{
	while (times--)
		put(out, c);
}

/* `sign` text goes before the zeros of flag 0, after the spaces of a width. */
static void put_field(struct sink *out, const struct spec *spec, const char *sign, const char *text, size_t n)
{
	size_t signs = strlen(sign);
	size_t pad = spec->width > n + signs ? spec->width - n - signs : 0;
	bool zero = spec->zero && !spec->left;

	if (!zero && !spec->left)
		put_times(out, ' ', pad);
	while (*sign)
		put(out, *sign++);
	if (zero)
		put_times(out, '0', pad);
	while (n--)
		put(out, *text++);
	if (spec->left)
		put_times(out, ' ', pad);
}

static void put_number(struct sink *out, const struct spec *spec, const char *sign, u64 value, unsigned base)
{
	char digits[20]; /* 2^64 - 1 in decimal */
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	put_field(out, spec, sign, digits + at, sizeof(digits) - at);
}

static void put_string(struct sink *out, struct spec *spec, const char *s)
{
	size_t n = 0;

	if (!s)
		s = "(null)";
	while ((!spec->has_precision || n < spec->precision) && s[n])
		n++;
	spec->zero = false;
	put_field(out, spec, "", s, n);
}

/* Decimal digits at *fmt; moves it past them. */
static size_t digits_at(const char **fmt)
{
	size_t value = 0;

	while (**fmt >= '0' && **fmt <= '9')
		value = value * 10 + (size_t)(*(*fmt)++ - '0');
	return value;
}

/* What stands between % and the conversion; moves *fmt past it. */
static struct spec spec_at(const char **fmt, va_list *args)
{
	struct spec spec = { .bytes = 4 };
	int given;

	for (; **fmt == '-' || **fmt == '0'; (*fmt)++) {
		spec.left |= **fmt == '-';
		spec.zero |= **fmt == '0';
	}
	if (**fmt == '*') {
		given = va_arg(*args, int);
		spec.left |= given < 0;
		spec.width = given < 0 ? -(size_t)given : (size_t)given;
		(*fmt)++;
	} else {
		spec.width = digits_at(fmt);
	}
	if (**fmt == '.') {
		(*fmt)++;
		spec.has_precision = true;
		if (**fmt == '*') {
			given = va_arg(*args, int);
			spec.has_precision = given >= 0;
			spec.precision = (size_t)given;
			(*fmt)++;
		} else {
			spec.precision = digits_at(fmt);
		}
	}
	for (; **fmt == 'l' || **fmt == 'z'; (*fmt)++)
		spec.bytes = 8;
	return spec;
}

static void put_signed(struct sink *out, const struct spec *spec, long long value)
{
	u64 magnitude = value < 0 ? -(u64)value : (u64)value;

	put_number(out, spec, value < 0 ? "-" : "", magnitude, 10);
}

static void put_conversion(struct sink *out, struct spec *spec, char conversion, va_list *args)
{
	char c;

	switch (conversion) {
	case 's':
		put_string(out, spec, va_arg(*args, const char *));
		break;
	case 'c':
		c = (char)va_arg(*args, int);
		spec->zero = false;
		put_field(out, spec, "", &c, 1);
		break;
	case 'd':
	case 'i':
		put_signed(out, spec, spec->bytes == 8 ? va_arg(*args, long long) : va_arg(*args, int));
		break;
	case 'u':
		put_number(out, spec, "", spec->bytes == 8 ? va_arg(*args, u64) : va_arg(*args, u32), 10);
		break;
	case 'x':
		put_number(out, spec, "", spec->bytes == 8 ? va_arg(*args, u64) : va_arg(*args, u32), 16);
		break;
	case 'p':
		put_number(out, spec, "0x", (u64)(uintptr_t)va_arg(*args, void *), 16);
		break;
	case '%':
		put(out, '%');
		break;
	default:
		put(out, '%');
		put(out, conversion);
	}
}

size_t kvsnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	struct sink out = { buf, size, 0 };
	struct spec spec;
	va_list copy;

	va_copy(copy, args); /* a va_list parameter may be an array: only a copy's address can be taken */
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			put(&out, *fmt);
			continue;
		}
		fmt++;
		spec = spec_at(&fmt, &copy);
		if (!*fmt)
			break;
		put_conversion(&out, &spec, *fmt, &copy);
	}
	va_end(copy);
	if (size)
		buf[MIN(out.n, size - 1)] = '\0';
	return out.n;
}

size_t ksnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	size_t n;

	va_start(args, fmt);
	n = kvsnprintf(buf, size, fmt, args);
	va_end(args);
	return n;
}

void ksnprintf_append(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	size_t n = strlen(buf);

	va_start(args, fmt);
	kvsnprintf(buf + n, size - n, fmt, args);
	va_end(args);
}
