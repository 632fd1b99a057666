import type { Step } from './recordings.ts';
import type { Clients } from './requests.ts';
import { attribute, given, inMap, join, ref, resources, stored, sub, topic } from './templates.ts';

type Program = (step: Step, clients: Clients) => Promise<unknown>;

const STACK = 'engine';
const CAPABILITIES = ['CAPABILITY_AUTO_EXPAND', 'CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'] as const;
const text = (template: object): string => JSON.stringify(template);
const values = (given: Record<string, string> = {}) =>
  Object.entries(given).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }));

/** Creates or updates a stack through a change set with every capability. @returns the stack's id */
async function changed(
  { cfn, ended }: Clients,
  template: object | string,
  parameters: Record<string, string> = {},
  more: object = {},
): Promise<string> {
  const { Id, StackId } = await cfn.createChangeSet({
    StackName: STACK,
    ChangeSetName: `changes-${++changes}`,
    ChangeSetType: 'CREATE',
    TemplateBody: typeof template === 'string' ? template : text(template),
    Parameters: values(parameters),
    Capabilities: [...CAPABILITIES],
    ...more,
  });
  await cfn.executeChangeSet({ ChangeSetName: Id });
  await ended(StackId!);
  return StackId!;
}
let changes = 0;

async function outputsOf({ cfn }: Clients): Promise<Record<string, string>> {
  const { Stacks } = await cfn.describeStacks({ StackName: STACK });
  return Object.fromEntries((Stacks![0]!.Outputs ?? []).map((one) => [one.OutputKey!, one.OutputValue!]));
}

/** A stack whose outputs are compared. */
const withOutputs =
  (Resources: object, Outputs: Record<string, unknown>, more: object = {}, parameters = {}): Program =>
  async (step, clients) => {
    const all = Object.fromEntries(Object.entries(Outputs).map(([name, Value]) => [name, { Value }]));
    await changed(clients, resources(Resources, { Outputs: all, ...more }), parameters);
    await step('outputs', await outputsOf(clients));
  };

/** A stack created by a transform, with its resources and the resulting template. */
const transformed =
  (template: object, parameters: Record<string, string> = {}): Program =>
  async (step, clients) => {
    const { cfn } = clients;
    await changed(clients, { Transform: 'AWS::LanguageExtensions', ...template }, parameters);
    await step('resources', cfn.describeStackResources({ StackName: STACK }));
    const { TemplateBody } = await cfn.getTemplate({ StackName: STACK, TemplateStage: 'Processed' });
    await step('transformed', JSON.parse(TemplateBody!) as object);
  };

const topicOutputs = {
  MyTopicName: attribute('MyTopic', 'TopicName'),
  MyTopicArn: attribute('MyTopic', 'TopicArn'),
  MyTopicRef: ref('MyTopic'),
};

const named: Record<string, Program> = {
  test_sub_resolving: withOutputs(
    { MyTopic: topic('resolving') },
    {
      ...topicOutputs,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: references of the template
      MyTopicSub: sub('${MyTopic.TopicName}|${MyTopic}|${MyTopic.TopicName}|${MyTopic}'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: references of the template
      MyTopicSubWithMap: sub('${MyTopic.TopicName}|${MyTopic}|${Other}', { Other: 'something' }),
    },
  ),
  ...Object.fromEntries(
    ['TopicName', 'TopicArn'].map((name) => [
      `test_nested_getatt_ref[${name}]`,
      withOutputs({ MyTopic: topic('nested') }, { ...topicOutputs, MyTopicCustom: attribute('MyTopic', name) }),
    ]),
  ),
  'TestFnSub::test_fn_sub_cases': withOutputs(
    { Param1: stored('Param1Value', { Name: 'Param1Value' }), Other: stored('unimportant') },
    {
      StringStatic: sub('this is a static string'),
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: references of the template
      StringRefParam: sub('${Given}'),
      StringRefPseudoParam: sub('${AWS::Region}'),
      StringRefResource: sub('${Param1}'),
      StringRefMultiple: sub('${Param1} - ${Param1}'),
      StringRefGetAtt: sub('${Other.Value}'),
      UrlSuffixPseudoParam: sub('${AWS::URLSuffix}'),
      ListStatic: sub('this is a static string', {}),
      ListRefParam: sub('${Given}', {}),
      ListRefPseudoParam: sub('${AWS::Region}', {}),
      ListRefResourceDirect: sub('${Param1}', {}),
      ListRefResourceMappingRef: sub('${Mapped}', { Mapped: ref('Param1') }),
      ListRefGetAtt: sub('${Other.Value}', {}),
      ListRefGetAttMapping: sub('${Mapped}', { Mapped: attribute('Other', 'Value') }),
      ListRefMultipleMix: sub('${Given}-${AWS::Region}-${Mapped}', { Mapped: ref('Param1') }),
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: references of the template
    },
    { Parameters: { Given: given('Param1Value') } },
  ),
  test_subnet_id_parameter_type: withOutputs(
    { Any: topic('subnets') },
    { ParamValue: { 'Fn::Join': ['|', ref('Subnets')] } },
    { Parameters: { Subnets: { Type: 'List<AWS::EC2::Subnet::Id>' } } },
    { Subnets: 'subnet-id-1,subnet-id-2' },
  ),
};
const extensions: Record<string, Program> = {
  'TestLanguageExtensionsTransform::test_transform_length': transformed(
    resources(
      { MyParameter: stored({ 'Fn::Length': ref('QueueList') }) },
      {
        Parameters: { QueueList: { Type: 'CommaDelimitedList' } },
        Outputs: { ParameterName: { Value: ref('MyParameter') } },
      },
    ),
    { QueueList: 'a,b,c' },
  ),
};

/** Three parameters in some order, each with the name of the previous one. */
const chain = { A: stored('root'), B: stored(ref('A')), C: stored(ref('B')) };
const ordered =
  (names: string): Program =>
  async (step, clients) => {
    const { cfn, ended } = clients;
    const order = names.split('-') as (keyof typeof chain)[];
    const StackId = await changed(clients, resources(Object.fromEntries(order.map((name) => [name, chain[name]]))));
    await cfn.deleteStack({ StackName: StackId });
    await ended(StackId);
    const { StackEvents } = await cfn.describeStackEvents({ StackName: StackId });
    const complete = StackEvents!.filter(
      ({ ResourceStatus, ResourceType }) =>
        ResourceStatus!.endsWith('_COMPLETE') && ResourceType === 'AWS::SSM::Parameter',
    );
    await step('events', complete.reverse());
  };

/** Template of a stack, before and after macros. */
const templates =
  (body: string, viaChangeSet: boolean): Program =>
  async (step, clients) => {
    const { cfn, ended } = clients;
    if (viaChangeSet) await changed(clients, body);
    else await ended((await cfn.createStack({ StackName: STACK, TemplateBody: body })).StackId!);
    for (const stage of ['Original', 'Processed'] as const) {
      const answer = cfn.getTemplate({ StackName: STACK, TemplateStage: stage });
      await step(`template_${stage.toLowerCase()}`, answer);
    }
  };
const YAML = `Resources:
  topic69831491:
    Type: AWS::SNS::Topic
Outputs:
  TopicName:
    Value:
      Fn::GetAtt:
        - topic69831491
        - TopicName
`;
const JSON_BODY = text({
  Resources: { topic69831491: { Type: 'AWS::SNS::Topic' } },
  Outputs: { TopicName: { Value: attribute('topic69831491', 'TopicName') } },
});

/** A stack before and after its creation through a change set. */
const described =
  (Tags: { Key: string; Value: string }[]): Program =>
  async (step, { cfn, ended }) => {
    const { Id } = await cfn.createChangeSet({
      StackName: STACK,
      ChangeSetName: 'first',
      ChangeSetType: 'CREATE',
      TemplateBody: text(resources({ TestResource: stored('x') }, { Description: 'test <env>.test.net' })),
      Tags,
    });
    const stack = async () => (await cfn.describeStacks({ StackName: STACK })).Stacks![0]!;
    await step('change-set-pre-execute', cfn.describeChangeSet({ ChangeSetName: Id }));
    await step('stack-pre-execute', await stack());
    await cfn.executeChangeSet({ ChangeSetName: Id });
    await ended(STACK);
    await step('stack-post-execute', await stack());
  };

const stacks: Record<string, Program> = {
  ...Object.fromEntries(
    ['A-B-C', 'A-C-B', 'B-A-C', 'B-C-A', 'C-A-B', 'C-B-A'].map((order) => [
      `test_stack_deploy_order[${order}]`,
      ordered(order),
    ]),
  ),
  'TestStacksApi::test_get_template_using_changesets[yaml]': templates(YAML, true),
  'TestStacksApi::test_get_template_using_changesets[json]': templates(JSON_BODY, true),
  'TestStacksApi::test_get_template_using_create_stack[yaml]': templates(YAML, false),
  'TestStacksApi::test_get_template_using_create_stack[json]': templates(JSON_BODY, false),
  'TestStacksApi::test_stack_description_lifecycle[no-tags]': described([]),
  'TestStacksApi::test_stack_description_lifecycle[with-tags]': described([{ Key: 'foo', Value: 'bar' }]),
  'TestStacksApi::test_stack_description_special_chars': async (step, clients) => {
    await changed(clients, resources({ T: topic('chars') }, { Description: 'test <env>.test.net' }));
    const { Stacks } = await clients.cfn.describeStacks({ StackName: STACK });
    await step('describe_stack', Stacks![0]!);
  },
  'TestStacksApi::test_list_events_after_deployment': async (step, clients) => {
    await changed(clients, resources({ topic123: topic('listed') }));
    const { StackEvents, ...more } = await clients.cfn.describeStackEvents({ StackName: STACK });
    await step('events', Promise.resolve({ ...more, StackEvents: StackEvents!.reverse() }));
  },
  'TestStacksApi::test_update_stack_with_same_template_withoutchange': async (step, clients) => {
    const template = resources({ T: topic('same') });
    await clients.deployed(STACK, template);
    await step('no_change_exception', clients.cfn.updateStack({ StackName: STACK, TemplateBody: text(template) }));
  },
  'TestStacksApi::test_create_stack_url_as_template': (step, { cfn }) =>
    step('stack_create_ec2', cfn.createStack({ StackName: STACK, TemplateBody: 'https://example.com/template.json' })),
  test_update_termination_protection: async (step, clients) => {
    const { cfn } = clients;
    const template = resources({ T: topic(ref('ApiName')) }, { Parameters: { ApiName: given() } });
    await changed(clients, template, { ApiName: 'protected' });
    for (const [turn, EnableTerminationProtection] of [
      [1, true],
      [2, false],
    ] as const) {
      await cfn.updateTerminationProtection({ StackName: STACK, EnableTerminationProtection });
      await step(`describe-stack-${turn}`, cfn.describeStacks({ StackName: STACK }));
    }
  },
  test_describe_stack_events_errors: (step, { cfn }) =>
    step('describe_stack_events_stack_not_found', cfn.describeStackEvents({ StackName: 'does-not-exist' })),
  test_stack_resource_not_found: async (step, clients) => {
    await clients.deployed(STACK, resources({ T: topic('found') }));
    const asked = { StackName: STACK, LogicalResourceId: 'NonExistentResource' };
    await step('Error', clients.cfn.describeStackResource(asked));
  },
  test_non_existing_stack_message: (step, { cfn }) => step('Error', cfn.describeStacks({ StackName: 'nothing' })),
  test_linting_error_during_creation: (step, { cfn }) =>
    step('error', cfn.createStack({ StackName: STACK, TemplateBody: text(resources({ A: 'text' })) })),
  test_no_parameters_given: (step, { cfn }) =>
    step(
      'deploy-error',
      cfn.createChangeSet({
        StackName: STACK,
        ChangeSetName: 'first',
        ChangeSetType: 'CREATE',
        TemplateBody: text(resources({ A: stored(ref('Input')) }, { Parameters: { Input: { Type: 'String' } } })),
      }),
    ),
  test_basic_update: async (step, clients) => {
    await clients.deployed(STACK, resources({ T: topic('before') }));
    const TemplateBody = text(resources({ T: topic('after') }));
    await step('update_response', clients.cfn.updateStack({ StackName: STACK, TemplateBody }));
    await clients.ended(STACK);
  },
  test_deletion_of_failed_nested_stack: (step, { cfn }) => step('error', cfn.describeStacks({ StackName: 'nested' })),
  test_get_template_summary_failed_stack: async (step, clients) => {
    const { cfn } = clients;
    await changed(clients, resources({ MyParameter: { Type: 'AWS::SSM::Parameter', Properties: { Value: 'x' } } }));
    await step('template-summary', cfn.getTemplateSummary({ StackName: STACK }));
  },
  test_changeset_for_deleted_stack: async (step, clients) => {
    const { cfn, ended } = clients;
    const StackId = await changed(clients, resources({ T: topic('gone') }));
    await cfn.deleteStack({ StackName: StackId });
    await ended(StackId);
    const TemplateBody = text(resources({ T: topic('back') }));
    const again = cfn.createChangeSet({ StackName: StackId, ChangeSetName: 'again', TemplateBody });
    await step('ErrorForComplete', again);
  },
  test_list_change_sets: async (step, { cfn }) => {
    await cfn.createChangeSet({
      StackName: STACK,
      ChangeSetName: 'listed',
      ChangeSetType: 'CREATE',
      TemplateBody: text(resources({ T: topic('listed') })),
    });
    await step('change-sets', cfn.listChangeSets({ StackName: STACK }));
  },
  'TestSsmParameters::test_create_stack_with_ssm_parameters': async (step, clients) => {
    await clients.ssm.putParameter({ Name: 'looked-up', Value: 'resolved', Type: 'String' });
    const tagged = { Key: 'param-value', Value: join(' ', 'param', ref('parameter123')) };
    const template = resources(
      { topic123: { Type: 'AWS::SNS::Topic', Properties: { Tags: [tagged] } } },
      { Parameters: { parameter123: { Type: 'AWS::SSM::Parameter::Value<String>' } } },
    );
    await changed(clients, template, { parameter123: 'looked-up' });
    const { Stacks } = await clients.cfn.describeStacks({ StackName: STACK });
    await step('stack-details', Stacks![0]!);
    const { StackResources } = await clients.cfn.describeStackResources({ StackName: STACK });
    const ResourceArn = StackResources![0]!.PhysicalResourceId!;
    await step('topic-tags', (await clients.sns.listTagsForResource({ ResourceArn })).Tags!);
    await clients.ssm.deleteParameter({ Name: 'looked-up' });
  },
  'TestIntrinsicFunctions::test_fn_select_has_intrinsic_function': async (step, clients) => {
    await changed(
      clients,
      resources(
        { A: stored({ 'Fn::Select': [inMap('Numbers', 'first', 'at'), ['false', 'true']] }, { Name: 'chosen' }) },
        { Mappings: { Numbers: { first: { at: '1' } } } },
      ),
    );
    const { Parameter } = await clients.ssm.getParameter({ Name: 'chosen' });
    await step('fn-select-fn-map-output', { ParameterValue: Parameter!.Value! });
  },
};

/** Requests of recorded engine tests, by (the ends of) their names. */
export const ENGINE: Readonly<Record<string, Program>> = { ...named, ...extensions, ...stacks };
