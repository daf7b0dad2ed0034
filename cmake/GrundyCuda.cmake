# Enables the CUDA language only when it is wanted and, for AUTO, there.
set(GRUNDY_CUDA_ENABLED OFF)
if(GRUNDY_CUDA STREQUAL "ON")
  message(FATAL_ERROR
    "GRUNDY_CUDA=ON: this version has no CUDA engine yet; configure with GRUNDY_CUDA=AUTO or OFF")
elseif(NOT GRUNDY_CUDA MATCHES "^(AUTO|OFF)$")
  message(FATAL_ERROR "GRUNDY_CUDA is '${GRUNDY_CUDA}'; it must be AUTO, ON or OFF")
endif()
