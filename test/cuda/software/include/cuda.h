/* What src/cuda asks of CUDA's driver: code is loaded when a device is opened. */
#ifndef GRAZE_SOFTWARE_CUDA_H
#define GRAZE_SOFTWARE_CUDA_H

#define SOFTWARE_DRIVER extern "C" __attribute__((visibility("default")))

enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2 };
typedef struct CUfunc_st *CUfunction;
typedef struct CUmod_st *CUmodule;

SOFTWARE_DRIVER CUresult cuFuncGetModule(CUmodule *module, CUfunction function);
SOFTWARE_DRIVER CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module);
SOFTWARE_DRIVER CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module);
SOFTWARE_DRIVER CUresult cuFuncLoad(CUfunction function);

#endif
