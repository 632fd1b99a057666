import {
  attribute,
  base64,
  equals,
  given,
  inMap,
  join,
  ref,
  resources,
  select,
  split,
  stored,
  sub,
  topic,
} from './templates.ts';

/** Stacks of a recorded test: a template and its update, with parameter values. */
export interface RecordedChange {
  readonly from: object;
  readonly to: object;
  readonly before?: Record<string, string>;
  readonly after?: Record<string, string>;
}

const ONE = 'topic-name-1';
const TWO = 'topic-name-2';
const THREE = 'topic-name-3';

/** One topic with a changed display name. */
const displayed = (from: unknown, to: unknown, sections: { from?: object; to?: object } = {}): RecordedChange => ({
  from: resources({ Topic1: topic(ONE, from) }, sections.from),
  to: resources({ Topic1: topic(ONE, to) }, sections.to),
});

/** A changed topic, and unchanged ones that may refer to it. */
const beside = (from: object, to: object, others: object): RecordedChange => ({
  from: resources({ Topic1: from, ...others }),
  to: resources({ Topic1: to, ...others }),
});

/** A topic name from a parameter value. */
const named = (from: object, to: object, values: Pick<RecordedChange, 'before' | 'after'> = {}): RecordedChange => {
  const Foo = topic(ref('TopicName'));
  return {
    from: resources({ Foo }, { Parameters: { TopicName: from } }),
    to: resources({ Foo }, { Parameters: { TopicName: to } }),
    ...values,
  };
};

const FIRST = topic(ONE, 'display-value-1');
const SECOND = topic(ONE, 'display-value-2');
const OF_FIRST = attribute('Topic1', 'DisplayName');
const FOLLOWS = { Topic2: topic(TWO, OF_FIRST) };
const REFERS = { Topic2: topic(TWO, ref('Topic1')) };
const FOO_NAME = stored(attribute('Foo', 'TopicName'));
const CREATE_TOPIC = (value: string) => ({ Conditions: { CreateTopic: equals('true', value) } });
const conditional = { SNSTopic: topic(ONE, undefined, { Condition: 'CreateTopic' }) };
const unconditional = { SNSTopic: topic(ONE) };
const placeholder = { TopicPlaceholder: topic(TWO) };
const after = (...DependsOn: string[]) => topic('topic-name-n', 'display-value-n', { DependsOn });
const mapping = (SNSMapping: object) => ({ Mappings: { SNSMapping } });
const VALUE_1 = { Val: 'display-value-1' };
const NEW = { ...VALUE_1, ValNew: 'display-value-new' };
const mapped = (key: string, attributeOf: string) => inMap('SNSMapping', key, attributeOf);

const general: Record<string, RecordedChange> = {
  test_direct_update: { from: resources({ Foo: topic('topic-1') }), to: resources({ Foo: topic('topic-2') }) },
  test_dynamic_update: {
    from: resources({ Foo: topic('topic-1'), Parameter: FOO_NAME }),
    to: resources({ Foo: topic('topic-2'), Parameter: FOO_NAME }),
  },
  test_parameter_changes: {
    from: resources({ Foo: topic(ref('TopicName')), Parameter: FOO_NAME }, { Parameters: { TopicName: given() } }),
    to: resources({ Foo: topic(ref('TopicName')), Parameter: FOO_NAME }, { Parameters: { TopicName: given() } }),
    before: { TopicName: 'topic-1' },
    after: { TopicName: 'topic-2' },
  },
  test_mappings_with_static_fields: {
    from: resources(
      { Foo: topic(inMap('MyMap', 'MyKey', 'key1')), Parameter: FOO_NAME },
      { Mappings: { MyMap: { MyKey: { key1: ONE, key2: TWO } } } },
    ),
    to: resources(
      { Foo: topic(inMap('MyMap', 'MyKey', 'key2')), Parameter: FOO_NAME },
      { Mappings: { MyMap: { MyKey: { key1: ONE, key2: TWO } } } },
    ),
  },
  test_mappings_with_parameter_lookup: (() => {
    const template = resources(
      { Foo: topic(inMap('MyMap', 'MyKey', ref('TopicName'))), Parameter: FOO_NAME },
      { Parameters: { TopicName: given() }, Mappings: { MyMap: { MyKey: { key1: ONE, key2: TWO } } } },
    );
    return { from: template, to: template, before: { TopicName: 'key1' }, after: { TopicName: 'key2' } };
  })(),
  test_conditions: (() => {
    const template = resources(
      { Bucket: { Type: 'AWS::S3::Bucket' }, Parameter: stored('test', {}, { Condition: 'IsProduction' }) },
      {
        Parameters: { EnvironmentType: given() },
        Conditions: { IsProduction: equals(ref('EnvironmentType'), 'prod') },
      },
    );
    return {
      from: template,
      to: template,
      before: { EnvironmentType: 'not-prod' },
      after: { EnvironmentType: 'prod' },
    };
  })(),
  test_unrelated_changes_update_propagation: {
    from: resources({
      Parameter1: stored('topic-name', { Description: 'original' }),
      Parameter2: stored(attribute('Parameter1', 'Value')),
    }),
    to: resources({
      Parameter1: stored('topic-name', { Description: 'changed' }),
      Parameter2: stored(attribute('Parameter1', 'Value')),
    }),
  },
  test_unrelated_changes_requires_replacement: {
    from: resources({
      Parameter1: stored('value', { Name: 'parameter-1-name' }),
      Parameter2: stored(attribute('Parameter1', 'Value')),
    }),
    to: resources({
      Parameter1: stored('value', { Name: 'parameter-2-name' }),
      Parameter2: stored(attribute('Parameter1', 'Value')),
    }),
  },
  'test_base_dynamic_parameter_scenarios[change_dynamic]': (() => {
    const template = resources(
      { Parameter: stored(ref('ParameterValue')) },
      { Parameters: { ParameterValue: given() } },
    );
    return {
      from: template,
      to: template,
      before: { ParameterValue: 'value-1' },
      after: { ParameterValue: 'value-2' },
    };
  })(),
  'test_base_dynamic_parameter_scenarios[change_parameter_for_condition_create_resource]': (() => {
    const template = resources(
      { SSMParameter1: stored('first'), SSMParameter2: stored('first', {}, { Condition: 'ShouldCreateParameter' }) },
      {
        Parameters: { ParameterValue: given('value-1', { AllowedValues: ['value-1', 'value-2'] }) },
        Conditions: { ShouldCreateParameter: equals(ref('ParameterValue'), 'value-2') },
      },
    );
    return {
      from: template,
      to: template,
      before: { ParameterValue: 'value-1' },
      after: { ParameterValue: 'value-2' },
    };
  })(),
  'test_base_mapping_scenarios[update_string_referencing_resource]': (() => {
    const map = (ParameterValue: string) => ({ Mappings: { GenericMapping: { EnvironmentA: { ParameterValue } } } });
    const MySSMParameter = stored(inMap('GenericMapping', 'EnvironmentA', 'ParameterValue'));
    return { from: resources({ MySSMParameter }, map('value-1')), to: resources({ MySSMParameter }, map('value-2')) };
  })(),
  test_property_empy_list: (() => {
    const Topic = topic('test-name');
    const Properties = { LogGroupName: attribute('Topic', 'TopicName'), Tags: [] };
    return { from: resources({ Role: { Type: 'AWS::Logs::LogGroup', Properties }, Topic }), to: resources({ Topic }) };
  })(),
};

const references: Record<string, RecordedChange> = {
  'TestChangeSetFnGetAttr::test_resource_addition': {
    from: resources({ Topic1: FIRST }),
    to: resources({ Topic1: FIRST, ...FOLLOWS }),
  },
  'TestChangeSetFnGetAttr::test_resource_deletion': {
    from: resources({ Topic1: FIRST, ...FOLLOWS }),
    to: resources({ Topic1: FIRST }),
  },
  'TestChangeSetFnGetAttr::test_direct_attribute_value_change': beside(FIRST, SECOND, FOLLOWS),
  test_direct_attribute_value_change_in_get_attr_chain: beside(FIRST, SECOND, {
    ...FOLLOWS,
    Topic3: topic(THREE, attribute('Topic2', 'DisplayName')),
  }),
  'TestChangeSetFnGetAttr::test_direct_attribute_value_change_with_dependent_addition': {
    from: resources({ Topic1: FIRST }),
    to: resources({ Topic1: SECOND, ...FOLLOWS }),
  },
  'TestChangeSetFnGetAttr::test_immutable_property_update_causes_resource_replacement': beside(
    topic(ONE, 'value'),
    topic('updated-topic-name-1', 'new_value'),
    FOLLOWS,
  ),
  'TestChangeSetRef::test_resource_addition': {
    from: resources({ Topic1: FIRST }),
    to: resources({ Topic1: FIRST, ...REFERS }),
  },
  'TestChangeSetRef::test_direct_attribute_value_change': beside(FIRST, SECOND, REFERS),
  test_direct_attribute_value_change_in_ref_chain: beside(FIRST, SECOND, {
    ...REFERS,
    Topic3: topic(THREE, ref('Topic2')),
  }),
  'TestChangeSetRef::test_direct_attribute_value_change_with_dependent_addition': {
    from: resources({ Topic1: FIRST }),
    to: resources({ Topic1: SECOND, ...REFERS }),
  },
  'TestChangeSetRef::test_immutable_property_update_causes_resource_replacement': beside(
    topic(ONE, 'value'),
    topic('updated-topic-name-1', 'new_value'),
    REFERS,
  ),
  test_supported_pseudo_parameter: {
    from: resources({ Topic1: topic('topic_name_1') }),
    to: resources({
      Topic2: {
        Type: 'AWS::SNS::Topic',
        Properties: {
          TopicName: 'topic_name_2',
          Tags: ['Partition', 'AccountId', 'Region', 'StackName', 'StackId', 'URLSuffix'].map((Key) => ({
            Key,
            Value: ref(`AWS::${Key}`),
          })),
        },
      },
    }),
  },
};

const conditions: Record<string, RecordedChange> = {
  test_condition_update_removes_resource: {
    from: resources(conditional, CREATE_TOPIC('true')),
    to: resources({ ...conditional, ...placeholder }, CREATE_TOPIC('false')),
  },
  test_condition_update_adds_resource: {
    from: resources({ ...conditional, ...placeholder }, CREATE_TOPIC('false')),
    to: resources({ ...conditional, ...placeholder }, CREATE_TOPIC('true')),
  },
  test_condition_add_new_negative_condition_to_existent_resource: {
    from: resources(unconditional),
    to: resources({ ...conditional, ...placeholder }, CREATE_TOPIC('false')),
  },
  test_condition_add_new_positive_condition_to_existent_resource: {
    from: resources({ SNSTopic1: topic(ONE) }),
    to: resources(
      {
        SNSTopic1: topic(ONE, undefined, { Condition: 'CreateTopic' }),
        SNSTopic2: topic(TWO, undefined, { Condition: 'CreateTopic' }),
      },
      CREATE_TOPIC('true'),
    ),
  },
};

const UPDATED = topic(ONE, 'display-value-1-updated');
const dependencies: Record<string, RecordedChange> = {
  test_update_depended_resource: beside(FIRST, UPDATED, {
    Topic2: topic(TWO, 'display-value-2', { DependsOn: 'Topic1' }),
  }),
  test_update_depended_resource_list: beside(FIRST, UPDATED, {
    Topic2: topic(TWO, 'display-value-2', { DependsOn: ['Topic1'] }),
  }),
  test_multiple_dependencies_addition: {
    from: resources({ Topic1: FIRST, Topicn: after('Topic1') }),
    to: resources({ Topic1: FIRST, Topicn: after('Topic1', 'Topic2'), Topic2: topic(TWO, 'display-value-2') }),
  },
  test_multiple_dependencies_deletion: {
    from: resources({ Topic1: FIRST, Topic2: topic(TWO, 'display-value-2'), Topicn: after('Topic1', 'Topic2') }),
    to: resources({ Topic1: FIRST, Topicn: after('Topic1') }),
  },
};

const parameters: Record<string, RecordedChange> = {
  test_update_parameter_default_value: named(given(ONE), given(TWO)),
  test_update_parameter_with_added_default_value: named(given(), given(TWO), { before: { TopicName: ONE } }),
  test_update_parameter_with_removed_default_value: named(given(ONE), given(), { after: { TopicName: TWO } }),
  test_update_parameter_default_value_with_dynamic_overrides: named(
    given('default-value-1'),
    given('default-value-2'),
    { before: { TopicName: ONE }, after: { TopicName: TWO } },
  ),
};

const byZone = inMap('AWSCloudFrontPartitionHostedZoneIdMap', ref('AWS::Partition'), 'zoneId');
const ZONES = {
  Mappings: {
    AWSCloudFrontPartitionHostedZoneIdMap: {
      aws: { zoneId: 'Z2FDTNDATAQYW2' },
      'aws-cn': { zoneId: 'Z3RFFRIM2A3IF5' },
    },
  },
};
const regions = (one: string, other: string) => ({
  Mappings: { RegionMap: { 'us-east-1': { value: one }, 'us-west-1': { value: other } } },
});
const mappings: Record<string, RecordedChange> = {
  test_mapping_leaf_update: displayed(mapped('Key1', 'Val'), mapped('Key1', 'Val'), {
    from: mapping({ Key1: VALUE_1 }),
    to: mapping({ Key1: { Val: 'display-value-2' } }),
  }),
  test_mapping_key_update: displayed(mapped('Key1', 'Val'), mapped('KeyNew', 'Val'), {
    from: mapping({ Key1: VALUE_1 }),
    to: mapping({ KeyNew: { Val: 'display-value-2' } }),
  }),
  test_mapping_addition_with_resource: {
    from: resources({ Topic1: topic(ONE, mapped('Key1', 'Val')) }, mapping({ Key1: VALUE_1 })),
    to: resources(
      { Topic1: topic(ONE, mapped('Key1', 'Val')), Topic2: topic(TWO, mapped('Key1', 'ValNew')) },
      mapping({ Key1: NEW }),
    ),
  },
  test_mapping_key_addition_with_resource: {
    from: resources({ Topic1: topic(ONE, mapped('Key1', 'Val')) }, mapping({ Key1: VALUE_1 })),
    to: resources(
      { Topic1: topic(ONE, mapped('Key2', 'Val')), Topic2: topic(TWO, mapped('Key2', 'ValNew')) },
      mapping({ Key1: VALUE_1, Key2: NEW }),
    ),
  },
  test_mapping_deletion_with_resource_remap: {
    from: resources(
      { Topic1: topic(ONE, mapped('Key1', 'Val')), Topic2: topic(TWO, mapped('Key1', 'ValNew')) },
      mapping({ Key1: NEW }),
    ),
    to: resources(
      { Topic1: topic(ONE, mapped('Key1', 'Val')), Topic2: topic(TWO, mapped('Key1', 'Val')) },
      mapping({ Key1: VALUE_1 }),
    ),
  },
  test_mapping_key_deletion_with_resource_remap: {
    from: resources(
      { Topic1: topic(ONE, mapped('Key1', 'Val')), Topic2: topic(TWO, mapped('Key2', 'Val')) },
      mapping({ Key1: VALUE_1, Key2: { Val: 'display-value-2' } }),
    ),
    to: resources(
      { Topic1: topic(ONE, mapped('Key1', 'Val')), Topic2: topic(TWO, mapped('Key1', 'Val')) },
      mapping({ Key1: VALUE_1 }),
    ),
  },
  test_fn_find_in_map_with_nested_ref: {
    from: resources({ Topic1: topic(ONE, byZone) }, ZONES),
    to: resources({ Topic1: topic(`${ONE}-updated`, byZone) }, ZONES),
  },
  test_fn_find_in_map_with_nested_ref_change_mapping: displayed(
    inMap('RegionMap', ref('AWS::Region'), 'value'),
    inMap('RegionMap', ref('AWS::Region'), 'value'),
    { from: regions('value-1', 'value-2'), to: regions('value-3', 'value-4') },
  ),
  test_fn_find_in_map_with_multiple_nested_functions: (() => {
    const sections = {
      Parameters: { Environment: given() },
      Mappings: { ComplexMap: { prod: { aws: 'prod-aws-value' }, dev: { aws: 'dev-aws-value' } } },
    };
    const value = inMap('ComplexMap', ref('Environment'), ref('AWS::Partition'));
    return {
      ...displayed(value, value, { from: sections, to: sections }),
      before: { Environment: 'prod' },
      after: { Environment: 'dev' },
    };
  })(),
};

const PLAIN = 'display-value-1';
// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
const STACK = sub('The stack name is ${AWS::StackName}');
const filled = (text: string, variables?: object) => sub(`Parameter interpolation: ${text}`, variables);
// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
const ONE_VALUE = filled('${var_name_1}', { var_name_1: 'var_value_1' });
// biome-ignore lint/suspicious/noTemplateCurlyInString: references of the template
const TWO_VALUES = filled('${var_name_1}, ${var_name_2}', { var_name_1: 'var_value_1', var_name_2: 'var_value_2' });
// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
const ONE_NAME = '${var_name}';
const OF_PARAMETER = filled(ONE_NAME, { var_name: ref('ParameterDisplayName') });
const DISPLAY = { Parameters: { ParameterDisplayName: given('display-value-parameter') } };
const substitutions: Record<string, RecordedChange> = {
  test_fn_sub_addition_string_pseudo: displayed(PLAIN, STACK),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
  test_fn_sub_update_string_pseudo: displayed(STACK, sub('The region name is ${AWS::Region}')),
  test_fn_sub_delete_string_pseudo: displayed(STACK, 'display-name-2'),
  test_fn_sub_addition_parameter_literal: displayed(PLAIN, filled(ONE_NAME, { var_name: 'var_value' })),
  test_fn_sub_update_parameter_literal: displayed(ONE_VALUE, TWO_VALUES),
  test_fn_sub_delete_parameter_literal: displayed(TWO_VALUES, ONE_VALUE),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the template
  test_fn_sub_addition_parameter: displayed(PLAIN, filled('${ParameterDisplayName}'), { to: DISPLAY }),
  test_fn_sub_addition_parameter_ref: displayed(PLAIN, OF_PARAMETER, { to: DISPLAY }),
  test_fn_sub_update_parameter_type: displayed(filled(ONE_NAME, { var_name: mapped('Key1', 'Val') }), OF_PARAMETER, {
    from: mapping({ Key1: VALUE_1 }),
    to: DISPLAY,
  }),
};

const PREFIXED = { Topic2: topic(TWO, join('-', 'prefix', OF_FIRST)) };
const joins: Record<string, RecordedChange> = {
  test_update_string_literal_delimiter_empty: displayed(join('', 'v1', 'test'), join('-', 'v1', 'test')),
  test_update_string_literal_arguments_empty: displayed(join(''), join('', 'v1', 'test')),
  test_update_string_literal_argument: displayed(join('-', 'v1', 'test'), join('-', 'v2', 'test')),
  test_update_string_literal_delimiter: displayed(join('-', 'v1', 'test'), join('_', 'v2', 'test')),
  'TestChangeSetFnJoin::test_update_refence_argument': beside(
    topic(ONE, 'display-name-1'),
    topic(ONE, 'display-name-2'),
    PREFIXED,
  ),
  test_indirect_update_refence_argument: beside(
    topic(ONE, join('-', 'display', 'name', '1')),
    topic(ONE, join('-', 'display', 'name', '2')),
    PREFIXED,
  ),
};

/** One topic without a name and with a changed display name. */
const unnamed = (from: unknown, to: unknown, sections: { from?: object; to?: object } = {}): RecordedChange => ({
  from: resources({ Topic1: topic(undefined, from) }, sections.from),
  to: resources({ Topic1: topic(undefined, to) }, sections.to),
});
const following = (value: object): RecordedChange => ({
  from: resources({ Topic1: topic(undefined, ONE), Topic2: topic(undefined, value) }),
  to: resources({ Topic1: topic(undefined, TWO), Topic2: topic(undefined, value) }),
});
const parts = (delimiter: string, text: unknown) => ({ 'Fn::Join': ['_', split(delimiter, text)] });
const THIRD = select(1, ['1st', '2nd', '3rd']);
const delimited = (value: string) => ({ Parameters: { DelimiterParam: given(value) } });
const texts: Record<string, RecordedChange> = {
  test_fn_select_add_to_static_property: unnamed(ONE, THIRD),
  test_fn_select_remove_from_static_property: unnamed(THIRD, ONE),
  test_fn_select_change_in_selection_list: unnamed(select(1, ['1st', '2nd']), select(1, ['1st', 'new-2nd', '3rd'])),
  test_fn_select_change_in_selection_index_only: unnamed(select(1, ['1st', '2nd']), select(0, ['1st', '2nd'])),
  test_fn_select_change_in_selected_element_type_ref: unnamed(select(0, ['1st']), select(0, [ref('AWS::StackName')])),
  test_fn_select_change_get_att_reference: following(select(0, [OF_FIRST])),
  test_fn_split_add_to_static_property: unnamed(ONE, parts('-', 'part1-part2-part3')),
  test_fn_split_remove_from_static_property: unnamed(parts('-', 'part1-part2-part3'), ONE),
  test_fn_split_change_delimiter: unnamed(parts('-', 'a-b--c::d'), parts(':', 'a-b--c::d')),
  test_fn_split_change_source_string_only: unnamed(parts('-', 'a-b'), parts('-', 'x-y-z')),
  test_fn_split_with_ref_as_string_source: unnamed(
    parts('-', ref('DelimiterParam')),
    parts('-', ref('DelimiterParam')),
    { from: delimited('hello-world'), to: delimited('foo-bar-baz') },
  ),
  test_fn_split_with_get_att: following(parts('-', OF_FIRST)),
  test_fn_base64_add_to_static_property: unnamed(ONE, base64('HelloWorld')),
  test_fn_base64_remove_from_static_property: unnamed(base64('HelloWorld'), ONE),
  test_fn_base64_change_input_string: unnamed(base64('OldValue'), base64('NewValue')),
};

/** Contents of the S3 bucket `snippets`, by key. */
export const SNIPPETS: Readonly<Record<string, string>> = {
  'resource.yml': [
    'Parameter2:',
    '  Type: AWS::SSM::Parameter',
    '  Properties: { Name: name-2-bd1e2d36, Type: String, Value: foo }',
  ].join('\n'),
  'resource.json': JSON.stringify({ Parameter: stored('foo', { Name: 'name-2-3e00e97a' }) }),
  'outputs.yml': 'Outputs:\n  ParameterRef:\n    Value:\n      Ref: Parameter\n',
  'outputs.json': JSON.stringify({ Outputs: { ParameterRef: { Value: ref('Parameter') } } }),
};

const included = (key: string) => ({ Name: 'AWS::Include', Parameters: { Location: `s3://snippets/${key}` } });
const replacing = (Input: unknown) => ({ Name: 'ReplaceString', Parameters: { Input } });
const FOO = { Parameter: stored('foo', { Name: 'topic-name-1' }) };
/** A parameter whose value a macro replaces. @param transforms of its properties */
const replaced = (transforms: object | undefined, attributes: object = {}) => ({
  Parameter: stored(
    '<replace-this>',
    { Name: 'parameter-name', ...(transforms && { 'Fn::Transform': transforms }) },
    attributes,
  ),
});
const plainFoo = resources({ Parameter: stored('foo', { Name: 'parameter-name' }) });
const optional = (value: string): RecordedChange => ({
  from: plainFoo,
  to: resources(replaced([replacing('snippet-transform')], { Condition: 'Deploy' }), {
    Parameters: { Transform: given() },
    Conditions: { Deploy: equals(ref('Transform'), 'true') },
  }),
  after: { Transform: value },
});
const substituted = (names: string[], output: string) =>
  resources(Object.fromEntries(names.map((name) => [name, stored('{Substitution}')])), {
    Transform: 'SubstitutionMacro',
    Parameters: { Substitution: given('SubstitutionDefault') },
    Outputs: { [`${output}Name`]: { Value: ref(output) } },
  });
const transforms: Record<string, RecordedChange> = {
  'test_embedded_fn_transform_include[yml]': {
    from: resources(FOO),
    to: resources({ ...FOO, 'Fn::Transform': included('resource.yml') }),
  },
  'test_embedded_fn_transform_include[json]': {
    from: resources(FOO),
    to: resources({ ...FOO, 'Fn::Transform': included('resource.json') }),
  },
  'test_global_fn_transform_include[yml]': {
    from: resources(FOO),
    to: resources(FOO, { Transform: included('outputs.yml') }),
  },
  'test_global_fn_transform_include[json]': {
    from: resources(FOO),
    to: resources(FOO, { Transform: included('outputs.json') }),
  },
  test_embedded_macro_fn_transform: {
    from: resources({ Parameter: stored('foo', { Name: 'name-1' }) }),
    to: resources({ Parameter: stored('foo', { Name: 'name-1', 'Fn::Transform': 'AddTags' }) }),
  },
  test_multiple_fn_transform_order: {
    from: plainFoo,
    to: resources(replaced([replacing('snippet-transform'), replacing('second-snippet-transform')]), {
      Transform: [replacing('global-transform'), replacing('second-global-transform')],
    }),
  },
  'test_conditional_transform[true]': optional('true'),
  'test_conditional_transform[false]': optional('false'),
  test_base_global_macro: {
    from: substituted(['Parameter'], 'Parameter'),
    to: substituted(['Parameter', 'Parameter2'], 'Parameter2'),
  },
};

/** Recorded tests that update a stack through a change set, by (the ends of) their names. */
export const CHANGES: Readonly<Record<string, RecordedChange>> = {
  ...general,
  ...references,
  ...conditions,
  ...dependencies,
  ...parameters,
  ...mappings,
  ...substitutions,
  ...joins,
  ...texts,
  ...transforms,
};
