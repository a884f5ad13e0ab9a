/*
 * A provider of two probes, and remarks of an editor behind it.
 */

provider beads {
    probe sub__entry(const char *, const char *, int, const char *);
    probe sub__return(const char *, const char *, int, const char *);

    probe phase__change(const char *, const char *);
};

/*
 * Local Variables:
 * tab-width: 4
 * End:
 */
