// [ensemble.table] and [initial] from: the same numbers from any file are the same run, and what is wrong
// with a file is said with its line and column.

#include <gtest/gtest.h>
#include <minizip/zip.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "host/livens.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/spec/spec.hpp"
#include "host/spec/spec_text.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

using Columns = std::vector<std::pair<std::string, std::vector<double>>>;

const Columns design = {{"system.mass[0]", {1.0, 2.0, 3.0}},
                        {"initial.v[1]", {0.1, -0.25, 1e-300}},
                        {"system.stiffness", {5.0, 6.0, 0.1 + 0.2}}};

class TableFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  /// A spec in the directory that names the table.
  Spec parse(const std::string& file, const std::string& more = "") const {
    return parse_spec("[system]\nname = 'toy_pair'\n[ensemble.table]\nfile = '" + file + "'\n" + more,
                      path("toy.toml"), toy_catalogue(), {}, {&hdf5_inputs(), {}});
  }
  std::string error_of(const std::string& file, const std::string& more = "") const {
    try {
      parse(file, more);
    } catch (const RequestError& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path directory_ = std::filesystem::path(testing::TempDir()) /
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::string csv_of(const Columns& columns) {
  std::string text;
  for (const auto& [name, values] : columns) text += (text.empty() ? "" : ",") + name;
  for (std::size_t row = 0; row < columns[0].second.size(); ++row) {
    text += '\n';
    for (const auto& [name, values] : columns) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%s%.17g", &values == &columns[0].second ? "" : ", ", values[row]);
      text += digits;
    }
  }
  return text + '\n';
}

/// A .npy of doubles, as numpy.lib.format describes it.
std::string npy_of(const std::vector<double>& values, const std::string& shape,
                   const std::string& more = "False") {
  std::string header = "{'descr': '<f8', 'fortran_order': " + more + ", 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  std::string bytes = std::string("\x93NUMPY\x01") + '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(values.data()), 8 * values.size());
}

void write_npz(const std::string& path, const std::vector<std::pair<std::string, std::string>>& files,
               int level) {
  const zipFile archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  for (const auto& [name, bytes] : files) {
    const zip_fileinfo none{};
    zipOpenNewFileInZip(archive, name.c_str(), &none, nullptr, 0, nullptr, 0, nullptr,
                        level == 0 ? 0 : Z_DEFLATED, level);
    zipWriteInFileInZip(archive, bytes.data(), static_cast<unsigned>(bytes.size()));
    zipCloseFileInZip(archive);
  }
  zipClose(archive, nullptr);
}

template <class Number>
std::string little_endian(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// An archive of an array of three numbers, whose directory says that it has `size` bytes of `compressed`
/// ones.
std::string archive_that_says(std::uint64_t size, std::uint64_t compressed) {
  const std::string bytes = npy_of({0.1, 0.2, 0.3}, "3,"), name = "system.mass[0].npy";
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  const auto common = [&](u32 stored, u32 packed) {
    const auto crc = static_cast<u32>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
    return little_endian<u16>(45) + little_endian<u32>(0) + little_endian<u16>(0) + little_endian<u16>(0x21) +
           little_endian(crc) + little_endian(packed) + little_endian(stored) +
           little_endian(static_cast<u16>(name.size()));
  };
  const auto length = static_cast<u32>(bytes.size());
  const std::string local = "PK\x03\x04" + common(length, length) + little_endian<u16>(0) + name + bytes;
  const std::string wide =
      little_endian<u16>(1) + little_endian<u16>(16) + little_endian(size) + little_endian(compressed);
  const std::string directory = "PK\x01\x02" + little_endian<u16>(45) + common(~u32{0}, ~u32{0}) +
                                little_endian(static_cast<u16>(wide.size())) + std::string(14, '\0') + name +
                                wide;
  return local + directory + "PK\x05\x06" + little_endian<u32>(0) + little_endian<u16>(1) +
         little_endian<u16>(1) + little_endian(static_cast<u32>(directory.size())) +
         little_endian(static_cast<u32>(local.size())) + little_endian<u16>(0);
}

/// Bytes that this process has taken at most.
double most_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

void write_npz(const std::string& path, const Columns& columns, int level) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [name, values] : columns)
    files.emplace_back(name + ".npy", npy_of(values, std::to_string(values.size()) + ","));
  write_npz(path, files, level);
}

void write_h5(const std::string& path, const Columns& columns) {
  hdf5::prepare();
  const hdf5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  for (const auto& [name, values] : columns) {
    const hdf5::Handle dataset =
        hdf5::create_dataset(file, "/design/" + name, H5T_NATIVE_DOUBLE, {values.size()});
    hdf5::write_rows(dataset, H5T_NATIVE_DOUBLE, 0, values.size(), values.data());
  }
}

void expect_design(const Spec& spec) {
  EXPECT_EQ(spec.request.size, 3);
  ASSERT_EQ(spec.request.variations.size(), design.size());
  for (const ensembles::Variation& variation : spec.request.variations) {
    const auto found = std::find_if(design.begin(), design.end(),
                                    [&](const auto& column) { return column.first == variation.what; });
    ASSERT_NE(found, design.end()) << variation.what;
    EXPECT_EQ(*variation.rows, found->second) << variation.what;
    EXPECT_EQ(variation.law, Law::table);
    EXPECT_EQ(variation.count, 1);
  }
}

std::string sha256_in(const Spec& spec) {
  const std::size_t at = spec.text.find("sha256 = \"");
  return at == std::string::npos ? "" : spec.text.substr(at + 10, 64);
}

TEST_F(TableFiles, AnyKindOfFileGivesTheSameNumbersToTheBit) {
  write("design.csv", csv_of(design));
  write_npz(path("stored.npz"), design, 0);
  write_npz(path("deflated.npz"), design, 6);
  write_h5(path("design.h5"), design);
  // echo of the numbers in the order of their names: initial.v[1], system.mass[0], system.stiffness
  const std::string digest = sha256_in(parse("design.csv"));
  EXPECT_EQ(digest.size(), 64u);
  for (const char* file : {"design.csv", "stored.npz", "deflated.npz", "design.h5"}) {
    SCOPED_TRACE(file);
    const Spec spec = parse(file, std::string(file) == "design.h5" ? "group = '/design'" : "");
    expect_design(spec);
    EXPECT_EQ(sha256_in(spec), digest);
  }
}

TEST_F(TableFiles, ATableInMemoryIsTheSameAsAFile) {
  std::vector<std::string> names;
  std::vector<double> rows;
  for (const auto& [name, values] : design) names.push_back(name);
  for (std::size_t row = 0; row < 3; ++row)
    for (const auto& [name, values] : design) rows.push_back(values[row]);
  Ensemble ensemble("toy_pair");
  ensemble.table(names, rows, "design.csv");
  const Spec spec =
      parse_spec(ensemble.to_toml(), "toy.toml", toy_catalogue(), {}, {nullptr, ensemble.table_in_memory()});
  expect_design(spec);
  write("design.csv", csv_of(design));
  EXPECT_EQ(sha256_in(spec), sha256_in(parse("design.csv")));
  rows.pop_back();
  EXPECT_THROW(ensemble.table(names, rows), SpecError);
}

// Arrays in memory have the rules of those in a .npz, and become the columns of a .csv.
TEST_F(TableFiles, ArraysInMemoryAreLookedAtAsThoseOfAFile) {
  const std::vector<double> six = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  const auto with = [&](const std::vector<TableColumn>& arrays) {
    Ensemble ensemble("toy_pair");
    ensemble.table(arrays, "design.csv");
    return parse_spec(ensemble.to_toml(), "toy.toml", toy_catalogue(), {},
                      {nullptr, ensemble.table_in_memory()});
  };
  const auto error = [&](const std::vector<TableColumn>& arrays) -> std::string {
    try {
      with(arrays);
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    return "no error";
  };
  write("design.csv", "initial.v[0],initial.v[1]\n1,2\n3,4\n5,6\n");
  const Spec file = parse("design.csv");
  for (const char* what : {"initial.v", "initial.v[*]", "initial.v[0:2]"}) {
    const Spec spec = with({{what, {3, 2}, six}});
    ASSERT_EQ(spec.request.variations.size(), 2u) << what;
    EXPECT_EQ(spec.request.variations[1].what, "initial.v[1]");
    EXPECT_EQ(*spec.request.variations[1].rows, (std::vector<double>{2.0, 4.0, 6.0}));
    EXPECT_EQ(sha256_in(spec), sha256_in(file));
  }
  const Spec column = with({{"initial.v[1]", {6, 1}, six}});
  EXPECT_EQ(column.request.variations.at(0).what, "initial.v[1]");
  EXPECT_EQ(column.request.variations.at(0).first, 1);
  EXPECT_EQ(*column.request.variations.at(0).rows, six);
  EXPECT_EQ(with({{"system.mass", {3, 2}, six}}).request.variations.at(1).what, "system.mass[1]");

  EXPECT_NE(error({{"initial.v", {2, 3}, six}}).find("has 3 numbers a row, for 2 entries"),
            std::string::npos);
  EXPECT_NE(error({{"initial.v", {6, 1}, six}}).find("has 1 numbers a row, for 2 entries"),
            std::string::npos);
  EXPECT_NE(error({{"initial.v", {6}, six}}).find("has 1 numbers a row, for 2 entries"), std::string::npos);
  EXPECT_NE(error({{"initial.v[1]", {3, 2}, six}}).find("has 2 numbers a row, for 1 entries"),
            std::string::npos);
  EXPECT_NE(error({{"initial.v", {1, 3, 2}, six}}).find("has the shape (1, 3, 2)"), std::string::npos);
  EXPECT_NE(error({{"initial.v", {}, {six.data(), 1}}}).find("has the shape ()"), std::string::npos);
  EXPECT_NE(error({{"initial.v", {6, 0}, {}}}).find("has the shape (6, 0)"), std::string::npos);
  EXPECT_NE(error({{"initial.v", {0, 2}, {}}}).find("has no rows"), std::string::npos);
  EXPECT_NE(error({}).find("has no rows"), std::string::npos);
  EXPECT_NE(error({{"initial.v", {3, 2}, {six.data(), 5}}}).find("has 5 values; expected 3 rows of 2"),
            std::string::npos);
  EXPECT_NE(error({{"initial.v[0]", {6}, six}, {"initial.v[1]", {3}, {six.data(), 3}}})
                .find("has 3 rows; expected 6"),
            std::string::npos);
  EXPECT_NE(error({{"initial.v[0]", {6}, six}, {"initial.v[0]", {6}, six}}).find("is varied twice"),
            std::string::npos);
  EXPECT_NE(
      error({{"initial.v", {3, 2}, six}, {"initial.v[0]", {3}, {six.data(), 3}}}).find("is varied twice"),
      std::string::npos);
  EXPECT_NE(error({{"initial.v[2:1]", {3, 2}, six}}).find("is empty or goes beyond"), std::string::npos);
}

TEST_F(TableFiles, ColumnsThatOverlapAreRefused) {
  const std::vector<double> six = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  write_npz(path("t.npz"),
            {{"initial.v.npy", npy_of(six, "3, 2")}, {"initial.v[1].npy", npy_of({1, 2, 3}, "3,")}}, 0);
  EXPECT_NE(error_of("t.npz").find("'initial.v[1]' sets entries that 'initial.v' varies"), std::string::npos)
      << error_of("t.npz");
  write("t.csv", "initial.v[0]\n1\n");
  const std::string law = "[[ensemble.vary]]\nwhat = 'initial.v[*]'\nlaw = 'normal'\nmean = 0\nstd = 1\n";
  EXPECT_NE(error_of("t.csv", law).find("'initial.v[0]' sets entries that 'initial.v[*]' varies"),
            std::string::npos);
}

TEST_F(TableFiles, IntegersThatNoDoubleHoldsAreRefused) {
  const auto stored = [](std::int64_t value) {
    double bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::string npy = npy_of({bits}, "1,");
    return npy.replace(npy.find("<f8"), 3, "<i8");
  };
  write_npz(path("t.npz"), {{"initial.v[0].npy", stored(std::int64_t{1} << 53)}}, 0);
  EXPECT_EQ(parse("t.npz").request.variations.at(0).rows->at(0), 0x1p53);
  for (const std::int64_t value : {(std::int64_t{1} << 53) + 1, -(std::int64_t{1} << 53) - 1}) {
    write_npz(path("t.npz"), {{"initial.v[0].npy", stored(value)}}, 0);
    EXPECT_NE(error_of("t.npz").find("initial.v[0]: holds " + std::to_string(value)), std::string::npos);
  }
}

TEST_F(TableFiles, RowsOfSeveralNumbersAreForTheEntriesOfAQuantity) {
  const std::vector<double> rows = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, columns = {1.0, 3.0, 5.0, 2.0, 4.0, 6.0};
  write_npz(path("c.npz"), {{"initial.q.npy", npy_of(rows, "3, 2")}}, 0);
  write_npz(path("fortran.npz"), {{"initial.q.npy", npy_of(columns, "3, 2", "True")}}, 0);
  for (const char* file : {"c.npz", "fortran.npz"}) {
    const Spec spec = parse(file);
    EXPECT_EQ(spec.request.variations.at(0).count, 2);
    EXPECT_EQ(*spec.request.variations.at(0).rows, rows);
  }
  write_npz(path("wide.npz"), {{"initial.q.npy", npy_of(rows, "2, 3")}}, 0);
  EXPECT_NE(error_of("wide.npz").find("has 3 numbers a row, for 2 entries"), std::string::npos);
}

TEST_F(TableFiles, SizeTakesTheFirstRows) {
  write("design.csv", csv_of(design));
  EXPECT_EQ(parse("design.csv", "[ensemble]\nsize = 2\n").request.size, 2);
  const std::string error = error_of("design.csv", "[ensemble]\nsize = 4\n");
  EXPECT_NE(error.find("toy.toml:6: ensemble.size: 4 instances, but 'design.csv' has rows for 3"),
            std::string::npos)
      << error;
}

TEST_F(TableFiles, TheSpecOfAResultIsOfTheSameNumbersOnly) {
  write("design.csv", csv_of(design));
  const std::string kept = parse("design.csv").text;
  const auto again = [&] { return parse_spec(kept, path("toy.toml"), toy_catalogue()); };
  EXPECT_EQ(again().text, kept);
  Columns other = design;
  other[1].second[2] = 2e-300;
  write("design.csv", csv_of(other));
  try {
    again();
    FAIL() << "the table of another run was taken";
  } catch (const RequestError& error) {
    EXPECT_NE(std::string(error.what()).find("is not the file that this spec was run with"),
              std::string::npos);
  }
}

TEST_F(TableFiles, CsvAsOtherProgramsWriteIt) {
  write("windows.csv",
        "\xef\xbb\xbf\"system.mass[0]\", initial.v[1] ,system.stiffness\r\n"
        "1,0.1,5\r\n+2.0,-0.25,6\r\n3e0,1e-300,0.30000000000000004\r\n\r\n");
  write("savetxt.csv",
        "# system.mass[0],initial.v[1],system.stiffness\n1,0.1,5\n2,-0.25,6\n"
        "3,1e-300,3.0000000000000004e-01");
  expect_design(parse("windows.csv"));
  expect_design(parse("savetxt.csv"));
  write("special.csv", "initial.v[0],initial.v[1]\nnan,inf\n-inf,1\n");
  EXPECT_TRUE(std::isnan(parse("special.csv").request.variations[0].rows->at(0)));
}

TEST_F(TableFiles, WhatIsWrongNamesFileLineAndColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "t.csv: empty; expected names"},
      {"initial.v[0],initial.v[1]\n1,2\n1,x\n", "t.csv:3: initial.v[1]: 'x' is no number"},
      {"initial.v[0],initial.v[1]\n1,2\n1\n", "t.csv:3: has 1 columns; expected 2"},
      {"initial.v[0],initial.v[1]\n1,\n", "t.csv:2: initial.v[1]: empty; expected a number"},
      {"initial.v[0],initial.v[1]\n1,1e999\n", "t.csv:2: initial.v[1]: '1e999' is no double"},
      {"initial.v[0];initial.v[1]\n1,5;2\n", "t.csv:1: the columns are separated by ';'"},
      {"initial.v[0]\tinitial.v[1]\n1\t2\n", "t.csv:1: the columns are separated by tabs"},
      {"initial.v[0]|initial.v[1]\n1|2\n", "t.csv:1: the columns are separated by '|'"},
      {"# initial.v[0] initial.v[1]\n1 2\n", "t.csv:1: the columns are separated by blanks"},
      {"initial.v[0],initial.v[1]\r1,2\r3,4\r", "t.csv: has lines that end in CR alone"},
      {"\x1f\x8b\x08", "t.csv: is compressed by gzip; expected it unpacked"},
      {"BZh91AY", "is compressed by bzip2"},
      {"\xfd\x37zXZ", "is compressed by xz"},
      {"PK\x03\x04", "a workbook of Excel"},
      {"\xff\xfei", "is text in UTF-16"},
      {"initial.v[0],initial.v[1]\n\"1,000.5\",2\n",
       "t.csv:2: has 3 columns; expected 2, as the first line has, and no comma "
       "within a number"},
      {",initial.v[1]\n0,2\n", "t.csv:1: column 1 has no name"},
      {"initial.v[0]\n1\n\n2\n", "t.csv:3: blank"},
      {"initial.v[0]\n", "has no rows"},
      {"initial.w[0]\n1\n", "t.csv:1: initial.w[0]: unknown quantity 'initial.w[0]'"},
      {"system.mas[0]\n1\n", "did you mean 'system.mass'?"},
      {"initial.v\n1\n", "has 1 numbers a row, for 2 entries; expected a column for each, 'initial.v[0]'"},
      {"initial.v[0],initial.v[0]\n1,1\n", "is varied twice"},
      {"initial.v[0],initial.p[0]\n1,1\n", "mixes initial.v and initial.p"},
  };
  for (const auto& [text, expected] : cases) {
    write("t.csv", text);
    const std::string error = error_of("t.csv");
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  }
  EXPECT_NE(error_of("none.csv").find("toy.toml:4: ensemble.table.file: "), std::string::npos);
  EXPECT_NE(error_of("/dev/null").find("not a regular file"), std::string::npos);
  write("t.xls", "");
  EXPECT_NE(error_of("t.xls").find("expected .csv, .npz or .h5"), std::string::npos);
}

TEST_F(TableFiles, DamagedArchivesAreRefused) {
  write("no.npz", "PK no archive");
  EXPECT_NE(error_of("no.npz").find("expected an archive"), std::string::npos);
  write_npz(path("t.npz"), {{"initial.v[0].npy", "text"}}, 6);
  EXPECT_NE(error_of("t.npz").find("is no array"), std::string::npos);
  // What an array claims is held against the bytes of its archive and against its shape before it is
  // unpacked.
  const double before = most_memory();
  for (const std::uint64_t size : {std::uint64_t{3'000'000'000}, std::uint64_t{1} << 40, ~std::uint64_t{0}})
    for (const std::uint64_t compressed : {size, std::uint64_t{152}}) {
      write("says.npz", archive_that_says(size, compressed));
      EXPECT_NE(error_of("says.npz").find("is damaged"), std::string::npos) << size;
    }
  EXPECT_LT(most_memory() - before, 0x1p26);
  write_npz(path("more.npz"), {{"initial.v[0].npy", npy_of({1.0}, "1,") + "and more"}}, 6);
  EXPECT_NE(error_of("more.npz").find("is no array"), std::string::npos);
  write_npz(path("t.npz"), {{"initial.v[0].npy", npy_of({1.0, 2.0}, "3,")}}, 6);
  EXPECT_NE(error_of("t.npz").find("is no array"), std::string::npos);
  write_npz(path("t.npz"),
            {{"initial.v[0].npy", npy_of({1.0}, "1,")}, {"initial.v[1].npy", npy_of({1.0, 2.0}, "2,")}}, 6);
  EXPECT_NE(error_of("t.npz").find("has 2 rows; expected 1"), std::string::npos);
  // A byte of the numbers: the archive has a checksum.
  write_npz(path("t.npz"), {{"initial.v[0].npy", npy_of({1.0, 2.0}, "2,")}}, 0);
  std::fstream file(path("t.npz"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(30 + 16 + 128 + 3);  // local header, name, header of the array
  file.put('\x55');
  file.close();
  EXPECT_NE(error_of("t.npz").find("is damaged"), std::string::npos) << error_of("t.npz");
}

TEST_F(TableFiles, VariationsKeepTheirStreamsBesideATable) {
  write("design.csv", csv_of(design));
  const Spec spec =
      parse("design.csv", "[[ensemble.vary]]\nwhat = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = 1\n");
  EXPECT_EQ(spec.request.variations.at(0).what, "initial.q[0]");
}

TEST_F(TableFiles, OfTextsAreBesideThemAndKept) {
  write("push.csv", "t, f, note\n0, 1, 7\n0.5, -2, 8\n");
  std::vector<FileOfTable> used;
  const ColumnReader reader = columns_beside(path("linkage.toml"), &used);
  const auto [x, y] = reader("push.csv", {"t", "f"});
  EXPECT_EQ(x, (std::vector{0.0, 0.5}));
  EXPECT_EQ(y, (std::vector{1.0, -2.0}));
  ASSERT_EQ(used.size(), 1u);
  EXPECT_EQ(used[0].path, path("push.csv"));
  EXPECT_EQ(used[0].rows, 2);
  EXPECT_EQ(used[0].columns, (std::vector<std::string>{"t", "f"}));
  // Of the columns that are read, and of nothing else that the file has.
  write("other.csv", "t,f\n0,1\n0.5,-2\n");
  reader("other.csv", {"t", "f"});
  EXPECT_EQ(used[1].sha256, used[0].sha256);
  reader("other.csv", {"f", "t"});
  EXPECT_EQ(used[2].sha256, used[0].sha256) << "in the order of the names";
  const auto problem_of = [&](const char* file, const char* column) -> std::string {
    try {
      reader(file, {"t", column});
    } catch (const RequestError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(problem_of("push.csv", "force").find("push.csv:1: no column 'force'"), std::string::npos)
      << problem_of("push.csv", "force");
  EXPECT_NE(problem_of("none.csv", "f").find("none.csv cannot be read"), std::string::npos)
      << problem_of("none.csv", "f");
}

}  // namespace
}  // namespace livens::host
