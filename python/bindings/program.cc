// The command line of `sinew`, for the console script of the package.

#include "../../apps/sinew/command.h"

#include <string>
#include <vector>

#include "bindings.h"

static int run(nb::list arguments) {
  std::vector<std::string> words;
  for (nb::handle word : arguments) words.push_back(nb::cast<std::string>(word));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  nb::gil_scoped_release released;
  int code = runProgram((int)words.size(), argv.data());
  fflush(nullptr);
  return code;
}

void bindProgram(nb::module_& module) { module.def("_run_program", &run, nb::arg("arguments")); }
