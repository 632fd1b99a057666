import { isObject } from '@emu/wire';
import { managedPolicy } from './arns-data.ts';
import { checkLogicalId } from './document.ts';
import { duplicateProblem, SamProblem } from './errors.ts';
import { shortDigest } from './ids.ts';
import { References, Resolver } from './resolve.ts';
import { defined, type Obj, type Resource } from './values.ts';

/** Where and with what a template is translated. */
export interface SamOptions {
  readonly region: string;
  readonly partition: string;
  /** Values of the parameters, as the stack has them. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The ARN of a policy that AWS manages, by its name; undefined where there is none. */
  managedPolicy?(name: string): string | undefined;
}

/** Types of resources of the template that resources of their own or another type are made of, by the type made. */
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

/** What stands in ids for characters that they may not have. */
const SPELT: Readonly<Record<string, string>> = { '-': 'D', _: 'U' };

/** A template that is being translated: what is made of its resources. */
export class Translation {
  /** Everything that the result has. */
  readonly output: Record<string, Resource> = {};
  readonly conditions: Obj;
  readonly references = new References();
  readonly resolver: Resolver;
  readonly problems: string[] = [];
  /** Ids of resources of SAM's that cannot be translated. */
  readonly refused = new Set<string>();
  /** The resource of the template that is being translated. */
  private owner = '';
  /** The APIs that share a usage plan. */
  readonly sharedPlan: Resource[] = [];
  /** The conditions of deployments by CodeDeploy. */
  readonly deploymentConditions = new Set<unknown>();

  constructor(
    readonly resources: Readonly<Record<string, Resource>>,
    template: Obj,
    readonly options: SamOptions,
    /** Properties that all resources of a type have. */
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
   * Translates a resource of the template, and notes what is wrong with it.
   * @param prefix what is said before its problems
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
   * Adds a resource to the result that the resource being translated makes.
   * @param attributes such as `Condition`; undefined ones are left out
   * @throws SamProblem where its id cannot be one
   */
  add(id: string, Type: string, Properties: Obj, attributes: Obj = {}): void {
    checkLogicalId(id);
    const existing = id === this.owner ? undefined : this.resources[id]?.Type;
    if (existing !== undefined && existing !== MADE_OF[Type])
      this.problems.push(duplicateProblem(this.owner, id, Type).message);
    this.share(id, Type, Properties, attributes);
  }

  /** Adds a resource to the result that is no one resource's, in the place of one that has its id. */
  share(id: string, Type: string, Properties: Obj, attributes: Obj = {}): void {
    this.output[id] = { ...defined(attributes), Type, Properties: defined(Properties) } as Resource;
  }

  /** Notes a problem that SAM words; anything else is a defect. */
  report(error: unknown, prefix = ''): void {
    // What is wrong with the template as a whole is told alone.
    if (!(error instanceof SamProblem) || error.message.startsWith('Structure of')) throw error;
    this.problems.push(error.message.startsWith('Resource with id') ? error.message : `${prefix}${error.message}`);
  }

  /** The id of a function's alias. */
  aliasId(functionId: string, alias: string): string {
    return `${functionId}Alias${alias.replace(/[^A-Za-z0-9]/g, (character) => SPELT[character] ?? '')}`;
  }

  /** An ARN of the service-role policies that AWS manages. */
  managed(name: string): string {
    return managedPolicy(this.options.partition, name);
  }

  /** The ARN of the policy that lets a role write traces. */
  get tracing(): string {
    return this.managed(this.options.partition === 'aws' ? 'AWSXrayWriteOnlyAccess' : 'AWSXRayDaemonWriteAccess');
  }

  /** The name of a condition that holds where another does not. */
  negation(condition: string, data: string): string {
    const name = `NOT${condition}${shortDigest(data)}`;
    this.conditions[name] = { 'Fn::Not': [{ Condition: condition }] };
    return name;
  }
}
