import { isObject } from '@emu/wire';
import { managedPolicy } from './arns-data.ts';
import { checkLogicalId } from './document.ts';
import { duplicateProblem, SamProblem } from './errors.ts';
import { shortDigest } from './ids.ts';
import { References, Resolver } from './resolve.ts';
import { defined, type Obj, type Resource } from './values.ts';

/** Environment of a translation. */
export interface SamOptions {
  readonly region: string;
  readonly partition: string;
  /** Parameter values of the stack. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Returns the ARN of an AWS managed policy by name; undefined for an unknown policy. */
  managedPolicy?(name: string): string | undefined;
}

/** Source types in the template by the type they create; includes the created type itself. */
const MADE_OF: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::BasePathMapping': 'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName': 'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi': 'AWS::Serverless::Api',
  'AWS::ApiGatewayV2::Api': 'AWS::Serverless::HttpApi',
  'AWS::CloudFormation::Stack': 'AWS::Serverless::Application',
  'AWS::DynamoDB::Table': 'AWS::Serverless::SimpleTable',
  'AWS::Lambda::Function': 'AWS::Serverless::Function',
  'AWS::Lambda::LayerVersion': 'AWS::Serverless::LayerVersion',
  'AWS::SNS::Topic': 'AWS::SNS::Topic',
};

/** Replacement for characters not allowed in ids. */
const SPELT: Readonly<Record<string, string>> = { '-': 'D', _: 'U' };

/** A translation in progress with its created resources. */
export class Translation {
  /** All resources of the result. */
  readonly output: Record<string, Resource> = {};
  readonly conditions: Obj;
  readonly references = new References();
  readonly resolver: Resolver;
  readonly problems: string[] = [];
  /** Ids of SAM resources that cannot be translated. */
  readonly refused = new Set<string>();
  /** Resource being translated. */
  private owner = '';
  /** APIs that share a usage plan. */
  readonly sharedPlan: Resource[] = [];
  /** Conditions of CodeDeploy deployments. */
  readonly deploymentConditions = new Set<unknown>();

  constructor(
    readonly resources: Readonly<Record<string, Resource>>,
    template: Obj,
    readonly options: SamOptions,
    /** Global properties by type. */
    readonly globals: ReadonlyMap<string, Obj>,
  ) {
    this.conditions = isObject(template.Conditions) ? { ...template.Conditions } : {};
    const parameters: Obj = { 'AWS::Region': options.region, 'AWS::Partition': options.partition };
    for (const [name, parameter] of Object.entries(isObject(template.Parameters) ? template.Parameters : {}))
      if (isObject(parameter) && parameter.Default !== undefined) parameters[name] = parameter.Default;
    const mappings = isObject(template.Mappings) ? template.Mappings : {};
    this.resolver = new Resolver({ ...parameters, ...options.parameters }, mappings);
  }

  /**
   * Translates a resource and collects its problems.
   * @param prefix prefix of its problems
   */
  translate(id: string, work: () => void, prefix = ''): void {
    if (this.refused.has(id)) return;
    const before = this.owner;
    this.owner = id;
    try {
      work();
    } catch (error) {
      this.report(error, prefix);
      this.refused.add(id);
    } finally {
      this.owner = before;
    }
  }

  /**
   * Adds a resource created from the current one.
   * @param attributes such as `Condition`; undefined ones are omitted
   * @throws SamProblem for an invalid id
   */
  add(id: string, Type: string, Properties: Obj, attributes: Obj = {}): void {
    checkLogicalId(id);
    const existing = id === this.owner ? undefined : this.resources[id]?.Type;
    if (existing !== undefined && existing !== MADE_OF[Type])
      this.problems.push(duplicateProblem(this.owner, id, Type).message);
    this.share(id, Type, Properties, attributes);
  }

  /** Adds a resource that belongs to no single resource; replaces one with the same id. */
  share(id: string, Type: string, Properties: Obj, attributes: Obj = {}): void {
    this.output[id] = { ...defined(attributes), Type, Properties: defined(Properties) } as Resource;
  }

  /** Collects a SAM problem; rethrows other errors as defects. */
  report(error: unknown, prefix = ''): void {
    // A problem with the whole template is reported alone.
    if (!(error instanceof SamProblem) || error.message.startsWith('Structure of')) throw error;
    this.problems.push(error.message.startsWith('Resource with id') ? error.message : `${prefix}${error.message}`);
  }

  /** Returns the id of a function's alias. */
  aliasId(functionId: string, alias: string): string {
    return `${functionId}Alias${alias.replace(/[^A-Za-z0-9]/g, (character) => SPELT[character] ?? '')}`;
  }

  /** Returns the ARN of an AWS managed service-role policy. */
  managed(name: string): string {
    return managedPolicy(this.options.partition, name);
  }

  /** ARN of the policy that permits writing traces. */
  get tracing(): string {
    return this.managed(this.options.partition === 'aws' ? 'AWSXrayWriteOnlyAccess' : 'AWSXRayDaemonWriteAccess');
  }

  /** Returns the name of the negation of a condition. */
  negation(condition: string, data: string): string {
    const name = `NOT${condition}${shortDigest(data)}`;
    this.conditions[name] = { 'Fn::Not': [{ Condition: condition }] };
    return name;
  }
}
