/* A provider, with its attributes behind it */

provider slither {
    probe function__entry(const char *, const char *, int, const char *);
    probe line(const char *, const char *, int);
    probe gc__start(int);
    probe gc__done(long);
    probe import__find__load__done(const char *, int);
    probe audit(const char *, void *);
};

#pragma D attributes Evolving/Evolving/Common provider slither provider
#pragma D attributes Evolving/Evolving/Common provider slither module
#pragma D attributes Evolving/Evolving/Common provider slither function
#pragma D attributes Evolving/Evolving/Common provider slither name
#pragma D attributes Evolving/Evolving/Common provider slither args
