import { isObject } from '@emu/wire';
import { isIntrinsic, type Obj } from '../values.ts';

/** Returns the paths of a definition with their methods; a path under Fn::If is returned once per branch. */
export function pathItems({ paths }: Obj): [path: string, methods: Obj][] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    branchesOf(item).map((methods): [string, Obj] => [path, methods]),
  );
}

function branchesOf(item: unknown): Obj[] {
  if (!isObject(item)) return [];
  const branches = item['Fn::If'];
  if (Array.isArray(branches)) return branches.slice(1).flatMap(branchesOf);
  return isIntrinsic(item) ? [] : [item];
}
