#include "sim/sass/cubin_constants.h"

#include <elf.h>

#include <cstring>
#include <optional>

#include "sim/sass/disassembly.h"

namespace lanescope {
namespace {

/// The tables of an ELF file, each read within its bounds.
class ElfFile {
 public:
  explicit ElfFile(std::span<const std::byte> bytes) : bytes_(bytes) {
    const auto header = read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr))
      return;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return;
      sections_.push_back(*section);
    }
    names_ = header->e_shstrndx;
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string nameFor(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }

  std::span<const std::byte> readContent(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size() ||
        section.sh_size > bytes_.size() - section.sh_offset)
      return {};
    return bytes_.subspan(section.sh_offset, section.sh_size);
  }

  /// The elements of a table.
  template <class T>
  std::vector<T> table(const Elf64_Shdr& section) const {
    const auto content = readContent(section);
    std::vector<T> all(content.size() / sizeof(T));
    if (!all.empty()) std::memcpy(all.data(), content.data(), all.size() * sizeof(T));
    return all;
  }

  std::string text(std::size_t section, std::size_t at) const {
    if (section >= sections_.size()) return {};
    const auto content = readContent(sections_[section]);
    std::string name;
    for (; at < content.size() && content[at] != std::byte{0}; ++at) name += static_cast<char>(content[at]);
    return name;
  }

 private:
  template <class T>
  std::optional<T> read(std::size_t at) const {
    if (at > bytes_.size() || sizeof(T) > bytes_.size() - at) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  std::span<const std::byte> bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

std::string variableName(const std::string& symbol) {
  const std::string name = readableName(symbol);
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace

CubinConstants readConstants(std::span<const std::byte> cubin, std::string_view symbol) {
  CubinConstants constants;
  const ElfFile file(cubin);
  std::size_t bank3 = SIZE_MAX;
  const Elf64_Shdr* symbolTable = nullptr;
  const Elf64_Shdr* addresses = nullptr;
  for (std::size_t i = 0; i < file.sections().size(); ++i) {
    const Elf64_Shdr& section = file.sections()[i];
    const std::string name = file.nameFor(section);
    if (name == ".nv.constant3") bank3 = i;
    if (section.sh_type == SHT_SYMTAB) symbolTable = &section;
    if (name == ".rela.nv.constant4") addresses = &section;
    if (name == ".nv.constant2." + std::string(symbol)) {
      const auto content = file.readContent(section);
      constants.literals.assign(content.begin(), content.end());
    }
  }
  if (symbolTable == nullptr) return constants;
  const auto symbols = file.table<Elf64_Sym>(*symbolTable);
  for (const Elf64_Sym& one : symbols) {
    if (one.st_shndx == bank3 && ELF64_ST_TYPE(one.st_info) == STT_OBJECT)
      constants.variables.push_back(
          {3, one.st_value, variableName(file.text(symbolTable->sh_link, one.st_name)), 0});
  }
  if (addresses == nullptr) return constants;
  for (const Elf64_Rela& one : file.table<Elf64_Rela>(*addresses)) {
    const std::size_t number = ELF64_R_SYM(one.r_info);
    if (number < symbols.size())
      constants.variables.push_back({4, one.r_offset,
                                     variableName(file.text(symbolTable->sh_link, symbols[number].st_name)),
                                     static_cast<std::uint64_t>(one.r_addend)});
  }
  return constants;
}

}  // namespace lanescope
