#include "words.h"
#include <stdio.h>
void words_read(struct list *list)
{
	char word[64];
	while (scanf("%63s", word) == 1)
		list_add(list, word);
}
