mod against_libstdcxx;
mod against_numpy;
mod properties;
