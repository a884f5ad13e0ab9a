/* $Id: $ */

provider pages {
	probe exception__thrown(char* classname);
	probe request__startup(char* request_file, char* request_uri, char* request_method);
	probe compile__file__entry(char * compile_file, char *compile_file_translated);
	probe error(char *errormsg, char *request_file, int lineno);
	probe function__entry(char* function_name, char* request_file, int lineno, char* classname, char* scope);
};

#pragma D attributes Evolving/Evolving/Common provider pages provider
#pragma D attributes Private/Private/Unknown provider pages module
#pragma D attributes Private/Private/Unknown provider pages function
