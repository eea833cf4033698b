# Splits CUDA files into one text per kernel: the kernel, with all of its file's other items before it.
# usage: awk -v to=FOLDER -f seeds.awk FILE…; writes FOLDER/FILE_KERNEL.cu.
function end() {
  if (name != "") {
    file = to "/" stem "_" name ".cu"
    printf "%s%s", shared, item > file
    close(file)
  } else {
    shared = shared item
  }
  item = name = ""
}
FNR == 1 {
  end()
  shared = ""
  stem = FILENAME
  sub(/.*\//, "", stem)
  sub(/\.cu$/, "", stem)
}
{
  item = item $0 "\n"
  if (name == "" && match($0, /__global__.*[^A-Za-z0-9_]([A-Za-z_][A-Za-z0-9_]*)\(/)) {
    name = $0
    sub(/.*__global__/, "", name)
    sub(/__launch_bounds__\([^)]*\)/, "", name)
    sub(/\(.*/, "", name)
    sub(/.*[^A-Za-z0-9_]/, "", name)
  }
}
/^};?$/ || /^}.*;$/ || /^[^ ].*[;}]$/ { end() }
END { end() }
