export { hasPython, installRuntimePackages, removeRuntimePackages, type WantedPackages } from './install.ts';
export { InstallationFailure } from './registry-programs.ts';
export { type InstalledSet, installedSets, type PackageSet, runtimeDirectory } from './runtime-directory.ts';
