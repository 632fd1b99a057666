import { CloudFormation, type Parameter, type StackEvent } from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SSM } from '@aws-sdk/client-ssm';
import { createEmulator, type EmbeddedEmulator } from '@emu/emulator';
import { isObject } from '@emu/wire';
import { parseTemplate } from '../../../packages/svc-cloudformation/src/templates/parse.ts';
import { causesOf } from './causes.ts';
import { type DeclaredParameter, dummyOf, STORED_PARAMETER } from './parameters.ts';
import { withCurrentRuntimes } from './retired-runtimes.ts';
import { supply } from './supplies.ts';

/** A step of a run. */
export type Step = 'template' | 'change set' | 'create' | 'tag update' | 'delete';

/** A template to run. */
export interface TemplateFile {
  readonly name: string;
  readonly text: string;
}

/** Result of one template. */
export interface Outcome {
  readonly name: string;
  /** The step that failed; undefined if the template passed all, with placeholders for absent types. */
  readonly failed: Step | undefined;
  /** Causes of the failure, and one for each resource type that emu lacks. */
  readonly causes: readonly string[];
}

/** Milliseconds after which a step has failed. */
const PATIENCE = 30_000;
/** Milliseconds between requests while a step runs. */
const INTERVAL = 5;
const STACK = 'harness';
const CAPABILITIES = ['CAPABILITY_IAM' as const, 'CAPABILITY_NAMED_IAM' as const, 'CAPABILITY_AUTO_EXPAND' as const];
/** Bytes above which a request cannot contain a template. */
const MAX_BODY = 51_200;
/** Types of CloudFormation itself, of transforms and of the user's own code. */
const OWN_TYPE = /^(?:AWS::CloudFormation::|AWS::CDK::Metadata$|AWS::Serverless::|Custom::)/;
const SAM = 'AWS::Serverless-2016-10-31';
/** Place of longer templates. */
const LONG = { Bucket: 'harness-templates', Key: 'template' };

/** Start of CloudFormation's message for types that AWS does not know. */
const UNRECOGNIZED = 'Unrecognized resource types: ';

const lacks = (type: string): string => `emu lacks the type ${type}`;

/** Type of the placeholders for resources that failed. */
const PLACEHOLDER = 'Harness::Failed::Resource';

/** Failure of a step. */
class StepFailure extends Error {
  constructor(
    readonly step: Step,
    readonly causes: readonly string[],
    /** Logical ids of the resources that failed. */
    readonly resources: readonly string[] = [],
  ) {
    super(causes.join('; '));
  }
}

/** Runs templates in an emulator without other resources. */
export class Harness implements AsyncDisposable {
  /** Resource types of the services. */
  private readonly provided: ReadonlySet<string>;

  private constructor(
    private readonly emulator: EmbeddedEmulator,
    private readonly cfn: CloudFormation,
    private readonly s3: S3Client,
    private readonly start: ReturnType<EmbeddedEmulator['snapshot']>,
  ) {
    this.provided = new Set(emulator.kernel.manifests.flatMap(({ cloudFormation }) => cloudFormation?.types ?? []));
  }

  /** Starts an emulator, which replaces absent types by placeholders. */
  static async open(): Promise<Harness> {
    const emulator = await createEmulator({
      logLevel: 'error',
      settings: { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED: 'true' },
    });
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const s3 = new S3Client({ ...config, forcePathStyle: true });
    await new SSM(config).putParameter({ Name: STORED_PARAMETER, Type: 'String', Value: 'dummy' });
    await s3.send(new CreateBucketCommand({ Bucket: LONG.Bucket }));
    return new Harness(emulator, new CloudFormation(config), s3, emulator.snapshot());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.emulator.close();
  }

  /**
   * Runs a template through all steps and removes what it leaves behind. The failure of one resource hides those of
   * others: placeholders replace failed ones, and the template runs again, until no further resource fails.
   */
  async run({ name, text }: TemplateFile): Promise<Outcome> {
    const lacking = new Set<string>();
    const causes = new Set<string>();
    const failed = new Set<string>();
    let step: Step | undefined;
    for (let ids: readonly string[] | undefined; ids === undefined || ids.length > 0; ) {
      try {
        await this.steps(text, lacking, failed);
        break;
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error;
        step ??= error.step;
        for (const cause of error.causes) causes.add(cause);
        ids = error.resources.filter((id) => !failed.has(id));
        for (const id of ids) failed.add(id);
      } finally {
        await this.emulator.restore(this.start);
      }
    }
    const unknown = [...causes].find((cause) => cause.includes(UNRECOGNIZED)) ?? '';
    const absent = [...lacking].filter((type) => !unknown.includes(type)).sort();
    return { name, failed: step, causes: [...[...causes].sort(), ...absent.map(lacks)] };
  }

  /**
   * @param lacking receives the absent types
   * @param failed logical ids of resources to replace by placeholders
   */
  private async steps(given: string, lacking: Set<string>, failed: ReadonlySet<string>): Promise<void> {
    const { cfn } = this;
    const template = withPlaceholders(await at('template', async () => parseTemplate(given)), failed);
    const text = failed.size ? JSON.stringify(template) : given;
    const declared = isObject(template.Parameters) ? template.Parameters : {};
    const Parameters: Parameter[] = Object.entries(declared).map(([ParameterKey, one]) => ({
      ParameterKey,
      ParameterValue: dummyOf(ParameterKey, one as DeclaredParameter),
    }));
    const supplied = await supply(withCurrentRuntimes(text), template, this.s3);
    const body = await this.placed(withTransform(supplied, template));
    for (const type of this.absentTypes(template)) lacking.add(type);
    const change = { StackName: STACK, ChangeSetName: 'create' };
    await at('change set', () =>
      cfn.createChangeSet({ ...change, ...body, ChangeSetType: 'CREATE', Parameters, Capabilities: CAPABILITIES }),
    );
    await this.planned(change);
    await at('create', () => cfn.executeChangeSet(change));
    await this.settled('create', STACK, 'CREATE_COMPLETE');
    await at('tag update', () =>
      cfn.updateStack({
        StackName: STACK,
        UsePreviousTemplate: true,
        Parameters: Parameters.map(({ ParameterKey }) => ({ ParameterKey, UsePreviousValue: true })),
        Capabilities: CAPABILITIES,
        Tags: [{ Key: 'harness', Value: 'updated' }],
      }),
    );
    await this.settled('tag update', STACK, 'UPDATE_COMPLETE');
    const { Stacks } = await cfn.describeStacks({ StackName: STACK });
    await at('delete', () => cfn.deleteStack({ StackName: STACK }));
    await this.settled('delete', Stacks![0]!.StackId!, 'DELETE_COMPLETE');
  }

  /** Returns the resource types of a template that no service provides, except those that CloudFormation handles. */
  private absentTypes({ Resources }: Record<string, unknown>): string[] {
    const types = Object.values(isObject(Resources) ? Resources : {}).map((one) => isObject(one) && one.Type);
    const absent = types.filter(
      (type) => typeof type === 'string' && type !== PLACEHOLDER && !OWN_TYPE.test(type) && !this.provided.has(type),
    ) as string[];
    return [...new Set(absent)].sort();
  }

  /** Returns the members of a request with a template. */
  private async placed(text: string): Promise<{ TemplateBody: string } | { TemplateURL: string }> {
    if (Buffer.byteLength(text) <= MAX_BODY) return { TemplateBody: text };
    await this.s3.send(new PutObjectCommand({ ...LONG, Body: text }));
    return { TemplateURL: `https://${LONG.Bucket}.s3.us-east-1.amazonaws.com/${LONG.Key}` };
  }

  private async planned(change: { StackName: string; ChangeSetName: string }): Promise<void> {
    const reason = await until('change set', async () => {
      const { Status, StatusReason = 'no reason' } = await this.cfn.describeChangeSet(change);
      if (Status === 'FAILED') return StatusReason;
      return Status!.endsWith('_COMPLETE') ? '' : undefined;
    });
    if (reason) throw new StepFailure('change set', causesOf(reason));
  }

  private async settled(step: Step, StackName: string, wanted: string): Promise<void> {
    const status = await until(step, async () => {
      const { Stacks } = await this.cfn.describeStacks({ StackName });
      const found = Stacks![0]!.StackStatus!;
      return found.endsWith('_IN_PROGRESS') ? undefined : found;
    });
    if (status === wanted) return;
    const { StackEvents = [] } = await this.cfn.describeStackEvents({ StackName });
    const events = StackEvents.filter(isCause);
    const causes = events.flatMap(({ ResourceType, ResourceStatusReason }) =>
      causesOf(ResourceStatusReason!).map((cause) => `${ResourceType}: ${cause}`),
    );
    const resources = events.map(({ LogicalResourceId }) => LogicalResourceId!);
    throw new StepFailure(step, causes.length ? causes : [`${status} without a reason`], resources);
  }
}

/** Returns a template in which placeholders replace failed resources, and those that depend on them. */
function withPlaceholders(template: Record<string, unknown>, failed: ReadonlySet<string>): Record<string, unknown> {
  const { Resources } = template;
  if (failed.size === 0 || !isObject(Resources)) return template;
  const replaced = new Set(failed);
  for (let size = 0; size < replaced.size; ) {
    size = replaced.size;
    for (const [id, resource] of Object.entries(Resources))
      if ([...namesIn(resource)].some((name) => replaced.has(name))) replaced.add(id);
  }
  const placed = Object.entries(Resources).map(([id, resource]) => {
    if (!replaced.has(id) || !isObject(resource)) return [id, resource];
    const { Condition } = resource;
    return [id, { Type: PLACEHOLDER, ...(Condition !== undefined && { Condition }) }];
  });
  return { ...template, Resources: Object.fromEntries(placed) };
}

/** Yields the words in the references and dependencies of a resource, among them the logical ids of others. */
function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value))
    if (/^(?:Ref|Fn::GetAtt|Fn::Sub|DependsOn)$/.test(name)) yield* JSON.stringify(item).match(/\w+/g) ?? [];
    else yield* namesIn(item);
}

/** Adds the transform to a SAM template that lacks it, as SAM's own examples do. */
function withTransform(text: string, { Transform, Resources }: Record<string, unknown>): string {
  const types = Object.values(isObject(Resources) ? Resources : {}).map((one) => isObject(one) && one.Type);
  if (Transform !== undefined || !types.some((type) => String(type).startsWith('AWS::Serverless::'))) return text;
  const isJson = /^\s*\{/.test(text);
  return isJson ? text.replace('{', `{"Transform": "${SAM}",`) : `${text}\nTransform: ${SAM}\n`;
}

/** Whether an event is the failure of a resource itself. */
const isCause = ({ ResourceStatus, ResourceStatusReason = '', PhysicalResourceId, StackId }: StackEvent): boolean =>
  ResourceStatus!.endsWith('_FAILED') &&
  PhysicalResourceId !== StackId &&
  !/^Resource (?:creation|update) cancelled/.test(ResourceStatusReason);

/** Runs a part of a step. @throws StepFailure for an error of the emulator */
async function at<T>(step: Step, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    throw new StepFailure(step, causesOf((error as Error).message));
  }
}

/** Repeats a request until it has a result. @throws StepFailure if that takes too long */
async function until<T>(step: Step, request: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const found = await request();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new StepFailure(step, [`The step does not end within ${PATIENCE / 1000} s.`]);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}
