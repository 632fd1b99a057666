import { totalSize } from './code/layers.ts';
import { LATEST } from './function-name.ts';
import { LIMITS } from './limits.ts';
import type { CodeRecord, LayerReference, Version, VersionConfig, VersionRecord } from './records.ts';
import type { LambdaState } from './state.ts';

/** Returns `$LATEST` of an existing function. */
export const latestOf = (state: LambdaState, name: string): Version => state.versions.get(`${name}:${LATEST}`)!;

/** Returns all versions of a function: `$LATEST` first, then in order of publication. */
export function versionsOf(state: LambdaState, name: string): Version[] {
  return [...state.versions.values()].filter(({ functionName }) => functionName === name);
}

/** Updates code or configuration of `$LATEST`, which counts as changed even if nothing differs. */
export function changeLatest(
  state: LambdaState,
  name: string,
  change: { code?: CodeRecord; config?: VersionConfig },
): Version {
  const changed = state.versions.update(`${name}:${LATEST}`, (draft) => {
    if (change.code) draft.code = change.code;
    if (change.config) draft.config = change.config;
    draft.contentId = state.ids.uuid();
    draft.revisionId = state.ids.uuid();
    draft.modifiedAt = state.clock.now();
  });
  state.onVersionsChanged?.(name);
  return changed;
}

/**
 * Replaces the content of a layer in all versions that use it, including published ones. Versions that would exceed the
 * size limit with it remain unchanged.
 */
export function renewLayer(state: LambdaState, renewed: LayerReference): void {
  const { arn } = renewed;
  const names = new Set<string>();
  // Versions with equal content stay equal.
  const contentIds = new Map<string, string>();
  for (const [key, { functionName, config, code, contentId }] of [...state.versions.entries()]) {
    const outdated = config.layers.some((layer) => layer.arn === arn && layer.body !== renewed.body);
    if (!outdated) continue;
    const layers = config.layers.map((layer) => (layer.arn === arn ? renewed : layer));
    if (totalSize(layers, code.unzippedSize) > LIMITS.unzippedSize) {
      state.log.warn(`${arn} is too large for function ${functionName}, which keeps its layers as they were`);
      continue;
    }
    const id = contentIds.get(contentId) ?? state.ids.uuid();
    contentIds.set(contentId, id);
    state.versions.update(key, (draft) => {
      draft.config.layers = structuredClone(layers) as LayerReference[];
      draft.contentId = id;
    });
    names.add(functionName);
  }
  for (const name of names) state.onVersionsChanged?.(name);
}

/**
 * Publishes `$LATEST`. Returns the last version if neither code nor configuration were updated since; like AWS, ignores
 * whether an update changed anything.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 */
export function publishVersion(state: LambdaState, name: string, description?: string): Version {
  const latest = latestOf(state, name);
  const { lastVersion } = state.functions.get(name)!;
  const last = state.versions.get(`${name}:${lastVersion}`);
  if (last?.contentId === latest.contentId) return last;
  state.functions.update(name, (draft) => {
    draft.lastVersion = lastVersion + 1;
  });
  return copyLatest(state, latest, String(lastVersion + 1), description);
}

/** Version name to which functions on a capacity provider are published repeatedly. */
const LATEST_PUBLISHED = '$LATEST.PUBLISHED';

/** Publishes `$LATEST` to `$LATEST.PUBLISHED`, replacing its contents. */
export const publishLatest = (state: LambdaState, name: string, description?: string): Version =>
  copyLatest(state, latestOf(state, name), LATEST_PUBLISHED, description);

function copyLatest(state: LambdaState, latest: Version, version: string, description: string | undefined): Version {
  const { functionName } = latest;
  const copy = structuredClone(latest) as VersionRecord;
  delete copy.runtimeManagement;
  delete copy.scaling;
  state.versions.update(`${functionName}:${LATEST}`, (draft) => {
    draft.revisionId = state.ids.uuid();
  });
  const key = `${functionName}:${version}`;
  const hasSnapshot = copy.config.snapStart === 'PublishedVersions' && version !== LATEST_PUBLISHED;
  const published = state.versions.put(key, {
    ...copy,
    version,
    config: { ...copy.config, description: description ?? copy.config.description },
    revisionId: state.ids.uuid(),
    modifiedAt: state.clock.now(),
    ...(hasSnapshot && { snapshot: { state: 'Pending' } }),
  });
  if (hasSnapshot) state.onSnapshotNeeded?.(key);
  return published;
}

/** Deletes a function with everything that belongs to it, except event source mappings, as on AWS. */
export function removeFunction(state: LambdaState, name: string): void {
  const collections = [
    state.versions,
    state.aliases,
    state.policies,
    state.functionUrls,
    state.eventInvokeConfigs,
    state.provisioned,
  ];
  for (const collection of collections)
    for (const key of [...collection.keys()]) if (key.startsWith(`${name}:`)) collection.delete(key);
  state.functions.delete(name);
  state.onFunctionRemoved?.(name);
  state.onVersionsChanged?.(name);
}

/** Deletes a published version with everything that belongs to it. */
export function removeVersion(state: LambdaState, name: string, version: string): void {
  const key = `${name}:${version}`;
  for (const collection of [state.versions, state.policies, state.eventInvokeConfigs, state.provisioned])
    collection.delete(key);
  state.onVersionsChanged?.(name);
}
