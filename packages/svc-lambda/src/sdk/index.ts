export { allPythons } from '../interpreters/python.ts';
export {
  CURRENT,
  type InstalledSet,
  installedSets,
  PACKAGE_SETS,
  type PackageSet,
  pythonSet,
  runtimeDirectory,
} from './runtime-directory.ts';
