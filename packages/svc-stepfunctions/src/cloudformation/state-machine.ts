import {
  defined,
  defineProvider,
  everyItem,
  lowerNames,
  nameWithoutStack,
  omit,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, readAtMost } from '@emu/core/service';
import { parseYaml } from '@emu/core/yaml';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { invalidDefinition } from '../errors.ts';

/**
 * Maximum bytes of a definition.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html
 */
const MAX_DEFINITION = 1024 * 1024;
const GONE = 'StateMachineDoesNotExist';

interface MachineProperties extends TaggedProperties {
  Definition?: unknown;
  DefinitionS3Location?: { Bucket: string; Key: string; Version?: string };
  DefinitionString?: string;
  DefinitionSubstitutions?: Readonly<Record<string, unknown>>;
  StateMachineName?: string;
  StateMachineType?: string;
}

const machineOf = (stateMachineArn: string, ctx: ProviderContext) =>
  unless(ctx.call('stepfunctions', 'DescribeStateMachine', { stateMachineArn }), GONE);

/**
 * Returns the definition as text, with substitutions applied.
 * @throws AwsError `InvalidDefinition`
 */
async function definitionOf(properties: MachineProperties, ctx: ProviderContext): Promise<string> {
  const { Definition, DefinitionString, DefinitionS3Location: at, DefinitionSubstitutions = {} } = properties;
  let text = DefinitionString ?? JSON.stringify(Definition);
  if (at) {
    const { Body } = await run(ctx, 's3', 'GetObject', {
      Bucket: at.Bucket,
      Key: at.Key,
      VersionId: at.Version || undefined,
    });
    const bytes = await readAtMost(Body as unknown as AsyncIterable<Uint8Array>, MAX_DEFINITION);
    if (!bytes) throw invalidDefinition(`The definition is larger than ${MAX_DEFINITION} bytes`);
    text = bytes.toString('utf8');
  }
  const filled = text.replace(/\$\{([A-Za-z0-9_]+)\}/g, (placeholder, name: string) =>
    name in DefinitionSubstitutions ? String(DefinitionSubstitutions[name]) : placeholder,
  );
  return at ? fileAsJson(filled) : filled;
}

/**
 * Returns the definition of a file, which may be YAML, as JSON.
 * @throws AwsError `InvalidDefinition`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-stepfunctions-statemachine-s3location.html
 */
function fileAsJson(text: string): string {
  if (/^\s*\{/.test(text)) return text;
  try {
    return JSON.stringify(parseYaml(text));
  } catch (error) {
    throw invalidDefinition(`The definition is not valid YAML: ${(error as Error).message}`);
  }
}

const settingsOf = (properties: MachineProperties): Properties =>
  lowerNames(
    omit(
      properties,
      'Definition',
      'DefinitionS3Location',
      'DefinitionString',
      'DefinitionSubstitutions',
      'StateMachineName',
      'StateMachineType',
      'Tags',
    ),
  ) as Properties;

/** Converts tags to the lower-case names of Step Functions. */
export const tagsOf = (tags: TaggedProperties['Tags']) => tags?.map(({ Key, Value }) => ({ key: Key, value: Value }));

/**
 * State machines.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachine.html
 */
export const stateMachine: AnyResourceProvider = defineProvider<MachineProperties>({
  typeName: 'AWS::StepFunctions::StateMachine',
  model,
  handles: [
    'Definition',
    'DefinitionS3Location',
    'DefinitionString',
    'DefinitionSubstitutions',
    'EncryptionConfiguration',
    'LoggingConfiguration',
    'RoleArn',
    'StateMachineName',
    'StateMachineType',
    'Tags',
    'TracingConfiguration',
  ],

  async create(properties, ctx) {
    const name = properties.StateMachineName ?? nameWithoutStack(ctx);
    const { stateMachineArn } = await run(ctx, 'stepfunctions', 'CreateStateMachine', {
      ...settingsOf(properties),
      name,
      definition: await definitionOf(properties, ctx),
      type: properties.StateMachineType,
      tags: tagsOf(properties.Tags),
    });
    return { identifier: stateMachineArn, attributes: { Arn: stateMachineArn, Name: name } };
  },

  async read(arn, ctx) {
    const found = await machineOf(arn, ctx);
    if (!found || found.status === 'DELETING') return undefined;
    const { tags } = await ctx.call('stepfunctions', 'ListTagsForResource', { resourceArn: arn });
    const settings = {
      encryptionConfiguration: found.encryptionConfiguration,
      loggingConfiguration: found.loggingConfiguration,
      roleArn: found.roleArn,
      tracingConfiguration: found.tracingConfiguration,
    };
    return {
      properties: defined({
        ...(upperNames(settings) as Properties),
        DefinitionString: found.definition,
        StateMachineName: found.name,
        StateMachineType: found.type as string,
        Tags: unlessEmpty(tags?.map(({ key, value }) => ({ Key: key!, Value: value! }))),
      }),
      // An unchanged machine has no revision id in responses.
      attributes: { Arn: arn, Name: found.name, StateMachineRevisionId: found.revisionId ?? 'INITIAL' },
    };
  },

  async update(arn, previous, desired, ctx) {
    if (!sameValue(omit(previous, 'Tags'), omit(desired, 'Tags'))) {
      const defaults = { loggingConfiguration: { level: 'OFF' }, tracingConfiguration: { enabled: false } };
      await run(ctx, 'stepfunctions', 'UpdateStateMachine', {
        ...defaults,
        ...(Boolean(previous.EncryptionConfiguration) && { encryptionConfiguration: { type: 'AWS_OWNED_KEY' } }),
        ...settingsOf(desired),
        stateMachineArn: arn,
        definition: await definitionOf(desired, ctx),
      });
    }
    await changeTagsOf(arn, previous, desired, ctx);
  },

  async delete(stateMachineArn, _properties, ctx) {
    await ctx.call('stepfunctions', 'DeleteStateMachine', { stateMachineArn });
    await ctx.until(async () => (await machineOf(stateMachineArn, ctx)) === undefined, { interval: 20 });
  },

  list: (ctx) =>
    everyItem(async (nextToken) => {
      const page = await ctx.call('stepfunctions', 'ListStateMachines', defined({ nextToken }));
      return [page.stateMachines.map((found) => found.stateMachineArn), page.nextToken] as const;
    }),
});
