import { type Collection, type DeepReadonly, parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { functionNotFound, invalid, notFound } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import {
  capacityProviderType,
  codeSigningConfigType,
  eventSourceMappingType,
  functionType,
  versionType,
} from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { tagging } from '../tags.ts';

/** A taggable resource. */
interface Tagged {
  tags: DeepReadonly<Record<string, string>>;
  update(tags: Record<string, string>): void;
}

/** Looks up a resource in a collection. */
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
 * Returns the resource of an ARN.
 * @throws AwsError `ResourceNotFoundException`; `InvalidParameterValueException` for versions and aliases
 */
function taggedOf(arn: string, state: LambdaState): Tagged {
  const { region, accountId } = parseArn(arn)!;
  if (region !== state.region)
    throw notFound(`Functions from '${region}' are not reachable in this region ('${state.region}')`);
  if (versionType.parse(arn))
    throw invalid('Tags on function aliases and versions are not supported. Please specify a function ARN.');
  const tagged = accountId === state.accountId ? find(arn, state) : undefined;
  if (tagged) return tagged;
  if (functionType.parse(arn)) throw functionNotFound(arn);
  if (eventSourceMappingType.parse(arn)) throw notFound(`Event source mapping not found: ${arn}`);
  if (capacityProviderType.parse(arn)) throw notFound(`Capacity provider not found: ${arn}`);
  throw notFound(`The Lambda code signing configuration ${arn} can not be found.`);
}

function find(arn: string, state: LambdaState): Tagged | undefined {
  const name = functionType.parse(arn)?.key.name;
  if (name !== undefined) return taggedFunction(name, state);
  const uuid = eventSourceMappingType.parse(arn)?.key.uuid;
  if (uuid !== undefined) return taggedIn(state.eventSourceMappings, uuid);
  const provider = capacityProviderType.parse(arn)?.key.name;
  if (provider !== undefined) return taggedIn(state.capacityProviders, provider);
  const id = codeSigningConfigType.parse(arn)?.key.id;
  return id === undefined ? undefined : taggedIn(state.codeSigningConfigs, id);
}

/** A function; a tag change creates a new revision of its `$LATEST`. */
function taggedFunction(name: string, state: LambdaState): Tagged | undefined {
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
export function TagResource(input: InputOf<'TagResource'>, { state }: LambdaContext): OutputOf<'TagResource'> {
  const tagged = taggedOf(input.Resource, state);
  if (!Object.keys(input.Tags).length) throw invalid('An error occurred and the request cannot be processed.');
  tagged.update(tagging.merge(tagged.tags, input.Tags));
  return {};
}

/** Removes tags; ignores missing ones. */
export function UntagResource(input: InputOf<'UntagResource'>, { state }: LambdaContext): OutputOf<'UntagResource'> {
  const tagged = taggedOf(input.Resource, state);
  tagged.update(tagging.remove(tagged.tags, input.TagKeys));
  return {};
}

/** Returns the tags of a resource. */
export function ListTags(input: InputOf<'ListTags'>, { state }: LambdaContext): OutputOf<'ListTags'> {
  return { Tags: { ...taggedOf(input.Resource, state).tags } };
}
