import { type Collection, type DeepReadonly, parseArn } from '@emu/core';
import { functionNotFound, invalid, notFound } from '../errors.ts';
import { LATEST } from '../names.ts';
import type { LambdaState } from '../state.ts';
import { checkTags } from '../tags.ts';
import type { In, LambdaContext, Out } from './context.ts';

/** A resource that has tags. */
interface Tagged {
  tags: DeepReadonly<Record<string, string>>;
  update(tags: Record<string, string>): void;
}

/** Finds it in a collection. */
function taggedIn<T extends { tags: Record<string, string> }>(
  collection: Collection<T>,
  key: string,
): Tagged | undefined {
  const record = collection.get(key) as { tags: DeepReadonly<Record<string, string>> } | undefined;
  return (
    record && {
      tags: record.tags,
      update: (tags) => {
        collection.update(key, (draft) => {
          draft.tags = tags;
        });
      },
    }
  );
}

/**
 * The resource of an ARN.
 * @throws AwsError `ResourceNotFoundException`; `InvalidParameterValueException` for versions and aliases
 */
function taggedOf(arn: string, state: LambdaState): Tagged {
  const { region, accountId, resource } = parseArn(arn)!;
  if (region !== state.region)
    throw notFound(`Functions from '${region}' are not reachable in this region ('${state.region}')`);
  const [kind, name, qualifier] = resource.split(':') as [string, string, string | undefined];
  if (kind === 'function' && qualifier !== undefined)
    throw invalid('Tags on function aliases and versions are not supported. Please specify a function ARN.');
  const own = accountId === state.accountId;
  const tagged = own ? find(kind, name, state) : undefined;
  if (tagged) return tagged;
  if (kind === 'function') throw functionNotFound(arn);
  if (kind === 'event-source-mapping') throw notFound(`Event source mapping not found: ${arn}`);
  if (kind === 'capacity-provider') throw notFound(`Capacity provider not found: ${arn}`);
  throw notFound(`The Lambda code signing configuration ${arn} can not be found.`);
}

function find(kind: string, name: string, state: LambdaState): Tagged | undefined {
  if (kind === 'event-source-mapping') return taggedIn(state.eventSourceMappings, name);
  if (kind === 'capacity-provider') return taggedIn(state.capacityProviders, name);
  if (kind === 'code-signing-config') return taggedIn(state.codeSigningConfigs, name);
  if (kind !== 'function') return undefined;
  const found = taggedIn(state.functions, name);
  return (
    found && {
      tags: found.tags,
      update: (tags) => {
        found.update(tags);
        state.versions.update(`${name}:${LATEST}`, (draft) => {
          draft.revisionId = state.ids.uuid();
        });
      },
    }
  );
}

/** Adds tags to a function, event source mapping, capacity provider or code signing configuration. */
export function TagResource(input: In<'TagResource'>, { state }: LambdaContext): Out<'TagResource'> {
  const tagged = taggedOf(input.Resource, state);
  if (!Object.keys(input.Tags).length) throw invalid('An error occurred and the request cannot be processed.');
  const tags = { ...tagged.tags, ...input.Tags };
  checkTags(tags);
  tagged.update(tags);
  return {};
}

/** Takes tags away; some may not be there. */
export function UntagResource(input: In<'UntagResource'>, { state }: LambdaContext): Out<'UntagResource'> {
  const tagged = taggedOf(input.Resource, state);
  const gone = new Set(input.TagKeys);
  tagged.update(Object.fromEntries(Object.entries(tagged.tags).filter(([key]) => !gone.has(key))));
  return {};
}

/** The tags of a resource. */
export function ListTags(input: In<'ListTags'>, { state }: LambdaContext): Out<'ListTags'> {
  return { Tags: { ...taggedOf(input.Resource, state).tags } };
}
