import type { CloudFormation, CreateChangeSetInput } from '@aws-sdk/client-cloudformation';
import type { S3 } from '@aws-sdk/client-s3';
import type { SNS } from '@aws-sdk/client-sns';
import type { SSM } from '@aws-sdk/client-ssm';
import type { Step } from './recordings.ts';
import { attribute, equals, given, inMap, join, ref, resources, select, stored, sub, topic } from './templates.ts';

/** Requests of a recorded test. */
export interface Clients {
  readonly cfn: CloudFormation;
  readonly s3: S3;
  readonly sns: SNS;
  readonly ssm: SSM;
  /** Waits until no operation on a stack is in progress. @returns the stack */
  ended(StackName: string): Promise<{ StackId?: string | undefined }>;
  /** Creates a stack and waits for it. */
  deployed(StackName: string, template: object, more?: object): Promise<{ StackId?: string | undefined }>;
}

type Program = (step: Step, clients: Clients) => Promise<unknown>;

const text = (template: object): string => JSON.stringify(template);
const SIMPLE = resources({ topic123: topic('topic') });
const PARAMETER = resources({ SimpleParam: stored('test') });
const ALLOW = { Statement: [{ Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' }] };
const DENY = { Statement: [{ Effect: 'Deny', Action: 'Update:*', Principal: '*', Resource: '*' }] };

/** A template that a change set rejects. */
const refused =
  (template: object, name = 'error', more: object = {}): Program =>
  (step, { cfn }) =>
    step(
      name,
      cfn.createChangeSet({
        StackName: 'refused',
        ChangeSetName: 'changes',
        ChangeSetType: 'CREATE',
        TemplateBody: text(template),
        ...more,
      }),
    );

const withOutputs = (Outputs: object) =>
  refused(resources({ Foo: { Type: 'AWS::SNS::Topic' } }, { Outputs }), 'validation-error');

/** Returns the policy of a stack after requests. */
const policy =
  (...steps: [name: string, body: object | undefined][]): Program =>
  async (step, { cfn, deployed }) => {
    await deployed('guarded', SIMPLE);
    for (const [name, body] of steps) {
      if (body) await cfn.setStackPolicy({ StackName: 'guarded', StackPolicyBody: text(body) });
      await step(name, cfn.getStackPolicy({ StackName: 'guarded' }));
    }
  };

const refusedPolicy =
  (StackPolicyBody: string): Program =>
  async (step, { cfn, deployed }) => {
    await deployed('guarded', SIMPLE);
    await step('error', cfn.setStackPolicy({ StackName: 'guarded', StackPolicyBody }));
  };

/** A stack policy in S3. @param then sends requests with its URL */
const stored3 =
  (body: string, then: (step: Step, clients: Clients, url: string) => Promise<unknown>): Program =>
  async (step, clients) => {
    await clients.deployed('guarded', SIMPLE);
    await clients.s3.createBucket({ Bucket: 'policies' });
    await clients.s3.putObject({ Bucket: 'policies', Key: 'policy.json', Body: body });
    await then(step, clients, 'https://policies.s3.amazonaws.com/policy.json');
    await clients.s3.deleteObject({ Bucket: 'policies', Key: 'policy.json' });
    await clients.s3.deleteBucket({ Bucket: 'policies' });
  };

const policies: Record<string, Program> = {
  'TestStackPolicy::test_policy_lifecycle': policy(
    ['initial_policy', undefined],
    ['policy', ALLOW],
    ['policy_updated', DENY],
    ['policy_deleted', {}],
  ),
  'TestStackPolicy::test_empty_policy': policy(['policy', {}]),
  'TestStackPolicy::test_set_policy_with_url': stored3(text(ALLOW), async (step, { cfn }, StackPolicyURL) => {
    await cfn.setStackPolicy({ StackName: 'guarded', StackPolicyURL });
    await step('policy', cfn.getStackPolicy({ StackName: 'guarded' }));
  }),
  'TestStackPolicy::test_set_empty_policy_with_url': stored3('{}', async (step, { cfn }, StackPolicyURL) => {
    await cfn.setStackPolicy({ StackName: 'guarded', StackPolicyURL });
    await step('policy', cfn.getStackPolicy({ StackName: 'guarded' }));
  }),
  'TestStackPolicy::test_set_invalid_policy_with_url': stored3(
    text({ Statement: [{ ...DENY.Statement[0], NotAMember: '*' }] }),
    (step, { cfn }, StackPolicyURL) => step('error', cfn.setStackPolicy({ StackName: 'guarded', StackPolicyURL })),
  ),
  'TestStackPolicy::test_set_policy_both_policy_and_url': stored3(text(ALLOW), (step, { cfn }, StackPolicyURL) =>
    step('error', cfn.setStackPolicy({ StackName: 'guarded', StackPolicyURL, StackPolicyBody: text(ALLOW) })),
  ),
  'TestStackPolicy::test_not_json_policy': refusedPolicy('abcd'),
  'TestStackPolicy::test_different_principal_attribute': refusedPolicy(
    text({ Statement: [{ ...DENY.Statement[0], Principal: 'somebody' }] }),
  ),
  'TestStackPolicy::test_different_action_attribute': refusedPolicy(
    text({ Statement: [{ ...DENY.Statement[0], Action: 'Delete:*' }] }),
  ),
  'TestStackPolicy::test_create_stack_with_policy': async (step, { cfn, deployed }) => {
    await deployed('guarded', SIMPLE, { StackPolicyBody: text(ALLOW) });
    await step('policy', cfn.getStackPolicy({ StackName: 'guarded' }));
  },
  'TestStackPolicy::test_policy_during_update': async (step, { cfn, deployed, ended }) => {
    await deployed('guarded', SIMPLE);
    await cfn.updateStack({
      StackName: 'guarded',
      TemplateBody: text(resources({ topic123: topic('other') })),
      StackPolicyDuringUpdateBody: text(DENY),
    });
    await ended('guarded');
    await step('policy_after_update', cfn.getStackPolicy({ StackName: 'guarded' }));
  },
};

/** A stack created from a template in S3, or rejected. */
const fromUrl =
  (TemplateURL: string, name: string): Program =>
  async (step, { cfn, s3, sns, ended }) => {
    await s3.createBucket({ Bucket: 'templates' });
    const template = resources({ topic123: topic(ref('TopicName')) }, { Parameters: { TopicName: given() } });
    await s3.putObject({ Bucket: 'templates', Key: 'test/template.yml', Body: text(template) });
    const making = cfn.createStack({
      StackName: 'from-url',
      TemplateURL,
      Parameters: [{ ParameterKey: 'TopicName', ParameterValue: 'of-url' }],
    });
    if (name === 'create-error') await step(name, making);
    else {
      await making;
      await ended('from-url');
      const { Topics } = await sns.listTopics({});
      await step(
        name,
        Topics!.filter(({ TopicArn }) => TopicArn!.endsWith(':of-url')),
      );
    }
    await s3.deleteObject({ Bucket: 'templates', Key: 'test/template.yml' });
    await s3.deleteBucket({ Bucket: 'templates' });
  };

const NO_CHANGE_SET = 'arn:aws:cloudformation:us-east-1:111111111111:changeSet/change-set-926829fe/d065e78c';
const templates: Record<string, Program> = {
  test_get_template_summary: async (step, { cfn, deployed }) => {
    await deployed('summary', { ...SIMPLE, Metadata: { TopicName: 'sns-topic-simple' } });
    await step('template-summary', cfn.getTemplateSummary({ StackName: 'summary' }));
  },
  test_get_template_summary_non_executed_change_set: async (step, { cfn }) => {
    await cfn.createChangeSet({
      StackName: 'reviewed',
      ChangeSetName: 'changes',
      ChangeSetType: 'CREATE',
      TemplateBody: text(PARAMETER),
    });
    await step('error', cfn.getTemplateSummary({ StackName: 'reviewed' }));
  },
  test_get_template_summary_no_resources: (step, { cfn }) =>
    step('error', cfn.getTemplateSummary({ TemplateBody: '{}' })),
  'test_create_stack_from_s3_template_url[s3_url]': fromUrl('s3://templates/test/template.yml', 'create-error'),
  'test_create_stack_from_s3_template_url[http_path]': fromUrl(
    'https://s3.amazonaws.com/templates/test/template.yml',
    'matching-topic',
  ),
  'test_create_stack_from_s3_template_url[http_host]': fromUrl(
    'https://templates.s3.amazonaws.com/test/template.yml',
    'matching-topic',
  ),
  'test_create_stack_from_s3_template_url[http_invalid]': fromUrl('https://example.com/dummy.yml', 'create-error'),
  test_validate_template: (step, { cfn }) =>
    step(
      'validate-template',
      cfn.validateTemplate({
        TemplateBody: text({
          ...SIMPLE,
          Parameters: {
            KeyExample: {
              Type: 'AWS::EC2::KeyPair::KeyName',
              Description: 'The EC2 Key Pair to allow SSH access to the instance',
            },
          },
        }),
      }),
    ),
  test_validate_invalid_json_template_should_fail: (step, { cfn }) =>
    step('validate-invalid-json', cfn.validateTemplate({ TemplateBody: '{"this is invalid JSON"="bobbins"}' })),
  test_get_template_missing_resources_stack: (step, { cfn }) =>
    step('stack-error', cfn.getTemplate({ StackName: 'does-not-exist' })),
  test_get_template_missing_resources_change_set: (step, { cfn }) =>
    step('change-set-error', cfn.getTemplate({ ChangeSetName: 'does-not-exist' })),
  test_get_template_missing_resources_change_set_id: (step, { cfn }) =>
    step('change-set-error', cfn.getTemplate({ ChangeSetName: NO_CHANGE_SET })),
  test_get_template_no_arguments: (step, { cfn }) => step('stack-error', cfn.getTemplate({})),
};

const SUFFIXES = { TopicSuffixMap: { A: { Suffix: 'suffix-a' }, B: { Suffix: 'suffix-b' } } };
const suffixed = (...path: unknown[]) =>
  refused(
    resources(
      { MyTopic: topic(join('-', ref('TopicName'), inMap(...path))) },
      { Parameters: { TopicName: given('t') }, Mappings: SUFFIXES },
    ),
    'error',
  );
const optional = (Value: object, Outputs: object = {}) =>
  resources(
    { MyTopic: topic('t', undefined, { Condition: 'ShouldDeploy' }), MySsmParam: stored(Value) },
    { Conditions: { ShouldDeploy: equals('option-a', 'option-b') }, ...Outputs },
  );
const validation: Record<string, Program> = {
  'test_invalid_output_structure[none-value]': withOutputs({ MyOutput: { Value: null } }),
  'test_invalid_output_structure[missing-def]': withOutputs({ MyOutput: { Value: null, AnotherValue: null } }),
  'test_invalid_output_structure[multiple-nones]': withOutputs({ MyOutput: {} }),
  test_missing_resources_block: refused({}, 'validation-error'),
  'test_resources_blocks[missing-type]': refused(resources({ A: { Properties: {} } }), 'validation-error'),
  'test_resources_blocks[invalid-key]': refused(
    resources({ A: { Type: 'AWS::SNS::Topic', Invalid: 10 } }),
    'validation-error',
  ),
  test_invalid_logical_resource_id: refused(resources({ 'my-bad-resource-id': topic('t') })),
  test_no_type: refused(resources({ Foo: { Properties: {} } })),
  'test_using_pseudoparameters_in_places[resource]': refused(resources({ 'AWS::NoValue': topic('t') })),
  'test_using_pseudoparameters_in_places[parameter]': refused(
    resources({ Foo: topic('t') }, { Parameters: { 'AWS::NoValue': given('x') } }),
  ),
  'test_invalid_select_index_type[non-integer-index]': refused(
    resources({ MyParameter: stored(select('bad', ['test'])) }),
  ),
  'test_invalid_select_index_type[non-list-list]': refused(resources({ MyParameter: stored(select(0, 2)) })),
  'test_invalid_select_index_type[index-out-of-range]': refused(
    resources({ MyParameter: stored(select(100, ['test'])) }),
  ),
  test_validate_split_arguments_len: refused(
    resources({ MyParameter: stored(select(0, { 'Fn::Split': ['a', 'b', 'c'] })) }),
    'validation',
  ),
  'test_invalid_structure[getatt_validation.yml]': refused(
    resources({ A: stored('x'), B: stored({ 'Fn::GetAtt': ['A'] }) }),
  ),
  'test_invalid_structure[getatt_validation2.yml]': refused(
    resources({ A: stored('x'), B: stored({ 'Fn::GetAtt': 'A' }) }),
  ),
  test_invalid_parameter_type: refused(
    resources({ A: stored(ref('Value')) }, { Parameters: { Value: { Type: 'Number' } } }),
    'error',
    { Parameters: [{ ParameterKey: 'Value', ParameterValue: 'abc' }] },
  ),
  test_missing_condition: refused(resources({ A: stored({ 'Fn::If': ['MissingCondition', 'a', 'b'] }) })),
  test_mapping_with_nonexisting_key: refused(
    resources({ MyTopic: topic(inMap('TopicSuffixMap', 'C', 'Suffix')) }, { Mappings: SUFFIXES }),
    'mapping_nonexisting_key_exc',
  ),
  test_mapping_with_invalid_refs: refused(
    resources(
      { MyTopic: topic(inMap('TopicSuffixMap', 'A', 'Suffix')) },
      { Parameters: { P: given('x') }, Mappings: { TopicSuffixMap: { A: { Suffix: ref('P') } } } },
    ),
    'mapping_invalid_ref_exc',
  ),
  test_mapping_maximum_nesting_depth: refused(
    resources({ MyTopic: topic('t') }, { Mappings: { TopicSuffixMap: { A: { Suffix: { deeper: 'x' } } } } }),
    'mapping_maximum_level_exc',
  ),
  test_mapping_minimum_nesting_depth: refused(
    resources({ MyTopic: topic('t') }, { Mappings: { TopicSuffixMap: { A: 'suffix' } } }),
    'mapping_minimum_level_exc',
  ),
  test_async_mapping_error_first_level_v2: suffixed('TopicSuffixMap', 'C', 'Suffix'),
  test_async_mapping_error_second_level_v2: suffixed('TopicSuffixMap', 'A', 'NotValid'),
  test_depends_on_with_missing_reference: refused(
    resources({ MyTopic: topic('t', undefined, { DependsOn: 'NonExistingResource' }) }),
    'depends_on_nonexisting_exception',
  ),
  test_useful_error_when_invalid_ref: refused(resources({ A: stored(ref('InvalidRef')) }), 'validation_error'),
  test_dependent_ref: refused(optional(ref('MyTopic')), 'dependent_ref_exc'),
  test_dependent_get_att: refused(optional(attribute('MyTopic', 'TopicName')), 'dependent_ref_exc'),
  test_output_reference_to_skipped_resource: refused(
    optional({ 'Fn::Sub': 'x' }, { Outputs: { Value: { Value: ref('MyTopic') } } }),
    'unresolved_resource_reference_exception',
  ),
  test_validate_equals_args_len: refused(resources({ A: topic('t') }, { Conditions: { C: { 'Fn::Equals': ['x'] } } })),
  test_resolve_ssm_missing_parameter: refused(
    resources(
      { A: stored(ref('InputValue')) },
      {
        Parameters: { InputValue: { Type: 'AWS::SSM::Parameter::Value<String>' } },
      },
    ),
    'error-response',
  ),
  test_error_pass_macro_as_reference: refused(
    resources({ A: stored('x') }, { Parameters: { M: given('m') }, Transform: { Name: ref('M') } }),
    'error',
    { Capabilities: ['CAPABILITY_AUTO_EXPAND'] },
  ),
};

const STACK = 'requested';
const changes = (more: Partial<CreateChangeSetInput> = {}): CreateChangeSetInput => ({
  StackName: STACK,
  ChangeSetName: 'changes',
  ChangeSetType: 'CREATE',
  TemplateBody: text(PARAMETER),
  ...more,
});
const gone = async ({ cfn, deployed, ended }: Clients, template = PARAMETER): Promise<string> => {
  const { StackId } = await deployed(STACK, template);
  await cfn.deleteStack({ StackName: STACK });
  await ended(StackId!);
  return StackId!;
};

const requests: Record<string, Program> = {
  test_describe_change_set_nonexisting: (step, { cfn }) =>
    step('exception', cfn.describeChangeSet({ StackName: 'somestack', ChangeSetName: 'x' })),
  test_delete_change_set_exception: async (step, { cfn }) => {
    await step('e1', cfn.deleteChangeSet({ StackName: 'nostack', ChangeSetName: 'x' }));
    await step('e2', cfn.deleteChangeSet({ ChangeSetName: 'x' }));
  },
  test_deleted_changeset: async (step, { cfn }) => {
    const { Id: ChangeSetName } = await step('create', cfn.createChangeSet(changes()));
    await cfn.deleteChangeSet({ ChangeSetName });
    await step('postdelete_changeset_notfound', cfn.describeChangeSet({ ChangeSetName }));
  },
  test_create_while_in_review: async (step, { cfn, ended }) => {
    const { Id: ChangeSetName } = await cfn.createChangeSet(changes());
    await step('create_stack_while_in_review', cfn.createStack({ StackName: STACK, TemplateBody: text(PARAMETER) }));
    await ended(STACK);
    await step('describe_stack', cfn.describeStacks({ StackName: STACK }));
    await step('describe_change_set', cfn.describeChangeSet({ ChangeSetName }));
  },
  test_multiple_create_changeset: async (step, { cfn }) => {
    const { Id: ChangeSetName } = await cfn.createChangeSet(changes());
    await step('initial_changeset', cfn.describeChangeSet({ ChangeSetName }));
    await step('additional_changeset', cfn.createChangeSet(changes({ ChangeSetName: 'more' })));
  },
  test_create_changeset_with_stack_id: async (step, { cfn, ended }) => {
    const { StackId } = await cfn.createChangeSet(changes());
    await step('describe_stack', cfn.describeStacks({ StackName: StackId }));
    await cfn.executeChangeSet({ StackName: STACK, ChangeSetName: 'changes' });
    await ended(STACK);
    await cfn.deleteStack({ StackName: STACK });
    await ended(StackId!);
    await step(
      'recreate_deleted_with_id_exception',
      cfn.createChangeSet(changes({ StackName: StackId!, ChangeSetName: 'revived-stack-changeset' })),
    );
  },
  test_create_change_set_no_changes: async (step, { cfn, deployed }) => {
    await deployed(STACK, PARAMETER);
    const { Id: ChangeSetName } = await cfn.createChangeSet(changes({ ChangeSetType: 'UPDATE' }));
    await step('change-set-description', cfn.describeChangeSet({ ChangeSetName }));
  },
  test_create_changeset_for_deleted_stack: async (step, clients) => {
    const StackName = await gone(clients);
    const { cfn } = clients;
    await step('ErrorForCreate', cfn.createChangeSet(changes({ StackName, ChangeSetName: 'test' })));
    await step('ErrorForUpdate', cfn.createChangeSet(changes({ StackName, ChangeSetType: 'UPDATE' })));
  },
  test_name_conflicts: async (step, clients) => {
    const { cfn, ended } = clients;
    const first = await cfn.createChangeSet(changes());
    await cfn.executeChangeSet({ ChangeSetName: first.Id });
    await ended(STACK);
    await step('create_changeset_existingstack_exc', cfn.createChangeSet(changes()));
    await cfn.deleteStack({ StackName: STACK });
    await ended(first.StackId!);
    const second = await cfn.createChangeSet(changes());
    await step('new_stack_desc', cfn.describeStacks({ StackName: STACK }));
    await step('stack_id_desc', cfn.describeStacks({ StackName: first.StackId }));
    await step('new_stack_id_desc', cfn.describeStacks({ StackName: second.StackId }));
    await step('initial_changeset_id_desc', cfn.describeChangeSet({ ChangeSetName: first.Id }));
    await step('second_initial_changeset_id_desc', cfn.describeChangeSet({ ChangeSetName: second.Id }));
  },
  test_update_with_resource_types: async (step, { cfn, deployed }) => {
    await deployed(STACK, SIMPLE);
    for (const [name, type] of [
      ['invalid_type_error', 'AWS::EC2:*'],
      ['resource_not_allowed', 'AWS::EC2::*'],
    ] as const)
      await step(
        name,
        cfn.updateStack({
          StackName: STACK,
          TemplateBody: text(resources({ topic123: topic('more') })),
          ResourceTypes: [type],
        }),
      );
  },
  test_no_template_error: async (step, { cfn, deployed }) => {
    await deployed(STACK, SIMPLE);
    await step('error', cfn.updateStack({ StackName: STACK }));
  },
  test_update_with_invalid_rollback_configuration_errors: async (step, { cfn, deployed }) => {
    await deployed(STACK, SIMPLE);
    for (const [name, Arn, Type] of [
      ['type_error', 'arn:aws:cloudwatch:us-east-1:111111111111:alarm:x', 'Another'],
      ['arn_error', 'arn:aws:cloudwatch:us-east-1:111111111111:example:x', 'AWS::CloudWatch::Alarm'],
    ] as const)
      await step(
        name,
        cfn.updateStack({
          StackName: STACK,
          TemplateBody: text(PARAMETER),
          RollbackConfiguration: { RollbackTriggers: [{ Arn, Type }] },
        }),
      );
  },
  test_update_deleted_stack: async (step, clients) => {
    const StackName = await gone(clients);
    await step('Error', clients.cfn.updateStack({ StackName, TemplateBody: text(PARAMETER) }));
  },
  test_describe_deleted_resource_on_update: async (step, { cfn, deployed, ended }) => {
    await deployed(STACK, resources({ Parameter: stored('a'), Parameter2: stored('b') }));
    await cfn.updateStack({ StackName: STACK, TemplateBody: text(resources({ Parameter2: stored('b') })) });
    await ended(STACK);
    const resource = (LogicalResourceId: string) => cfn.describeStackResource({ StackName: STACK, LogicalResourceId });
    await step('parameter', resource('Parameter2'));
    await step('error', resource('Parameter'));
  },
  test_describe_non_existent_resource: async (step, { cfn, deployed }) => {
    const { StackId: StackName } = await deployed(STACK, PARAMETER);
    await step('error', cfn.describeStackResource({ StackName, LogicalResourceId: 'not-a-valid-resource' }));
  },
  test_describe_non_existent_stack: (step, { cfn }) =>
    step(
      'error',
      cfn.describeStackResource({ StackName: 'not-a-valid-stack', LogicalResourceId: 'not-a-valid-resource' }),
    ),
  test_join_no_value_construct: async (step, { deployed, cfn }) => {
    const none = ref('AWS::NoValue');
    await deployed(STACK, {
      ...PARAMETER,
      Conditions: { active: equals('yes', 'no') },
      Outputs: {
        JoinOnlyNoValue: { Value: join(',', none) },
        JoinWithNoValue: { Value: join(',', none, 'Sample') },
        JoinConditionalNoValue: { Value: join(',', { 'Fn::If': ['active', 'x', none] }) },
      },
    });
    const { Stacks } = await cfn.describeStacks({ StackName: STACK });
    const outputs = Stacks![0]!.Outputs!.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue ?? '']);
    await step('join-output', Object.fromEntries(outputs));
  },
  test_non_string_parameter_in_sub: async (step, { deployed, ssm }) => {
    const template = resources(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
      { A: stored(sub('my number is ${Number}'), { Name: 'sub-parameter' }) },
      { Parameters: { Number: { Type: 'Number', Default: 3 } } },
    );
    await deployed(STACK, template);
    const { Parameter } = await ssm.getParameter({ Name: 'sub-parameter' });
    await step('get-parameter-result', Parameter!);
  },
  test_describe_change_set_import_non_existent_export: async (step, { cfn, ended }) => {
    const { StackId } = await cfn.createChangeSet(
      changes({ TemplateBody: text(resources({ MyFoo: stored({ 'Fn::ImportValue': 'b-0' }) })) }),
    );
    const place = { StackName: STACK, ChangeSetName: 'changes' };
    await step('describe', cfn.describeChangeSet(place));
    await step('describe_with_values', cfn.describeChangeSet({ ...place, IncludePropertyValues: true }));
    await cfn.executeChangeSet(place);
    await step('post-deploy-stack-describe', await ended(StackId!));
  },
  test_describe_change_set_import_non_existent_export_then_create: async (step, { cfn, deployed, ended }) => {
    const { StackId } = await cfn.createChangeSet(
      changes({ TemplateBody: text(resources({ MyFoo: stored({ 'Fn::ImportValue': 'b-0' }) })) }),
    );
    const place = { StackName: STACK, ChangeSetName: 'changes' };
    await step('describe', cfn.describeChangeSet(place));
    await step('describe_with_values', cfn.describeChangeSet({ ...place, IncludePropertyValues: true }));
    await deployed(
      'exporter',
      resources({ T: topic('t') }, { Outputs: { O: { Value: 'x', Export: { Name: 'b-0' } } } }),
    );
    await cfn.executeChangeSet(place);
    await step('post-deploy-stack-describe', await ended(StackId!));
  },
  test_describe_change_set_import: async (step, { cfn, deployed, ended }) => {
    await deployed(
      'exporter',
      resources({ T: topic('t') }, { Outputs: { O: { Value: 'x', Export: { Name: 'b-0' } } } }),
    );
    const { StackId } = await cfn.createChangeSet(
      changes({ TemplateBody: text(resources({ MyFoo: stored({ 'Fn::ImportValue': 'b-0' }) })) }),
    );
    const place = { StackName: STACK, ChangeSetName: 'changes' };
    await step('describe', cfn.describeChangeSet(place));
    await step('describe_with_values', cfn.describeChangeSet({ ...place, IncludePropertyValues: true }));
    await cfn.executeChangeSet(place);
    await step('post-deploy-stack-describe', await ended(StackId!));
  },
  test_invalid_getatt_fails: async (step, { cfn, ended }) => {
    const { StackId } = await cfn.createChangeSet(
      changes({
        TemplateBody: text(
          resources({ A: stored('x') }, { Outputs: { InvalidOutput: { Value: attribute('A', 'Invalid') } } }),
        ),
      }),
    );
    await cfn.executeChangeSet({ StackName: STACK, ChangeSetName: 'changes' });
    await ended(StackId!);
    const { StackEvents: events } = await cfn.describeStackEvents({ StackName: StackId });
    await step('stack_events', { events: events! });
  },
};

/** Requests of recorded tests, by (the ends of) their names. */
export const REQUESTS: Readonly<Record<string, Program>> = { ...policies, ...templates, ...validation, ...requests };
