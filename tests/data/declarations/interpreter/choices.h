#ifndef CHOICES_H
#define CHOICES_H 1
#define COUNTS_WORDS 1
#define COUNTS_LETTERS 0
#endif
