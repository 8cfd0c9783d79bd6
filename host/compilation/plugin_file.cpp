#include "host/compilation/plugin_file.hpp"

#include <dlfcn.h>

#include "host/errors.hpp"

namespace livens::host {

const Plugin& load_plugin(const Provided& provided) {
  const std::string path = provided.object.string();
  const auto refuse = [&](const std::string& why) { throw FileError(path, why); };
  void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) refuse(std::string("cannot be loaded (") + dlerror() + ")");
  const auto entry = reinterpret_cast<PluginEntry*>(dlsym(object, plugin_entry));
  const Plugin* const plugin = entry ? entry() : nullptr;
  if (!plugin) refuse("is no object of livens");
  if (plugin->version != plugin_version || plugin->size != sizeof(Plugin) ||
      plugin->layout != PluginLayout{} || plugin->key != provided.key)
    refuse("was compiled for another version of livens; 'livens cache --clear' removes it");
  return *plugin;
}

}  // namespace livens::host
