// The reduction that lanescope-cli runs beside it (kernels/strategies/no_bank_conflict.cu), in OpenCL:
// sequential addressing, one element a work-item, a partial sum a work-group.
kernel void reduce(global const float* in, global float* out, local float* s) {
  const uint tid = get_local_id(0);
  s[tid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_size(0) / 2; k > 0; k /= 2) {
    if (tid < k) s[tid] += s[tid + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (tid == 0) out[get_group_id(0)] = s[0];
}
