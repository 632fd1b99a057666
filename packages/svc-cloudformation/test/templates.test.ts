import { expect, test } from 'vitest';
import { parseTemplate } from '../src/templates/parse.ts';
import { failureOf, startStacks, thing } from './support.ts';

test('reads YAML with short forms like JSON', async () => {
  await using emu = await startStacks();
  const TemplateBody = `
AWSTemplateFormatVersion: 2010-09-09
Parameters:
  Names: { Type: CommaDelimitedList, Default: "x, y" }
Mappings:
  Sizes:
    us-east-1: { Small: 4 }
Conditions:
  IsX: !Equals [!Select [0, !Ref Names], x]
  Never: !Not [!Condition IsX]
Resources:
  A:
    Type: Test::Thing::Thing
    Properties:
      Size: !FindInMap [Sizes, !Ref AWS::Region, Small]
      Value: !Join ['-', !Split [',', 'a,b']]
      Settings:
        Since: 2020-01-01
        Letters: !Join ['', [N, Y, y, n]]
        Words: !Join [',', [yes, No, on, OFF]]
        swagger: 2.0
        Base: !Base64 hi
        Dotted: !Join [., [a, b]]
        None: !If [Never, 1, !Ref AWS::NoValue]
        Cidr: !Select [1, !Cidr [10.0.0.0/16, 2, 8]]
  B:
    Type: Test::Thing::Thing
    Condition: Never
Outputs:
  Arn: { Value: !GetAtt A.Arn }
`;
  await emu.cfn.createStack({ StackName: 's', TemplateBody });
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  expect([...emu.things.values()].map(({ properties }) => properties)).toEqual([
    {
      Size: 4,
      Value: 'a-b',
      Settings: {
        Since: '2020-01-01',
        Letters: 'NYyn',
        Words: 'true,false,true,false',
        swagger: '2.0',
        Base: 'aGk=',
        Dotted: 'a.b',
        Cidr: '10.0.1.0/24',
      },
    },
  ]);
  expect((await emu.cfn.getTemplate({ StackName: 's' })).TemplateBody).toBe(TemplateBody);
});

const cases: [what: string, template: string | object, message: string][] = [
  ['invalid JSON', '{"Resources": {"A": ', 'Template format error: JSON not well-formed.'],
  ['invalid YAML', 'Resources: [', 'Template format error: YAML not well-formed.'],
  [
    'a duplicate key',
    'Resources:\n  A: {Type: X}\n  A: {Type: Y}\n',
    'Template format error: YAML not well-formed. (line 3, column 3)',
  ],
  ['no resources', {}, 'Template format error: At least one Resources member must be defined.'],
  [
    'a resource without a type',
    { Resources: { A: {} } },
    'Template format error: [/Resources/A] Every Resources object must contain a Type member.',
  ],
  [
    'a resource that is not an object',
    { Resources: { A: 'x' } },
    'Template format error: Any Resources member must be an object.',
  ],
  [
    'an unknown member',
    { Resources: { A: { Type: 'X', Invalid: 1 } } },
    "Invalid template resource property 'Invalid'",
  ],
  [
    'a name with colons',
    { Resources: { 'A::B': { Type: 'X' } } },
    'Template format error: Resource name A::B is non alphanumeric.',
  ],
  [
    'a missing resource',
    { Resources: { A: thing({ Value: { Ref: 'B' } }) } },
    'Template format error: Unresolved resource dependencies [B] in the Resources block of the template',
  ],
  [
    'a missing resource of an output',
    { Resources: { A: thing() }, Outputs: { O: { Value: { Ref: 'B' } } } },
    'Unresolved resource dependencies [B] in the Outputs block of the template',
  ],
  [
    'a circle',
    { Resources: { A: thing({ Value: { Ref: 'B' } }), B: thing({ Value: { Ref: 'A' } }) } },
    'Circular dependency between resources: [A, B]',
  ],
  [
    'a missing condition',
    { Resources: { A: thing({ Value: { 'Fn::If': ['No', 1, 2] } }) } },
    'Template error: unresolved condition dependency No in Fn::If',
  ],
  [
    'a null',
    '{"Resources":{"A":{"Type":"X"}},"Outputs":{"O":{"Value":null}}}',
    "[/Outputs/O/Value] 'null' values are not allowed in templates",
  ],
  [
    'an output without a value',
    { Resources: { A: thing() }, Outputs: { O: {} } },
    'Template format error: Every Outputs member must contain a Value object',
  ],
  [
    'a mapping that is not an object',
    { Mappings: { A: 'x' }, Resources: { A: thing() } },
    'Template format error: Every Mappings member A must be a map',
  ],
  [
    // https://github.com/getmoto/moto/pull/4221
    'an empty section',
    'Resources:\n  A: {Type: Test::Thing::Thing}\nOutputs:\n',
    "[/Outputs] 'null' values are not allowed in templates",
  ],
  [
    // https://github.com/aws-cloudformation/cfn-lint/issues/246
    'a null property',
    'Resources:\n  A: {Type: Test::Thing::Thing, Properties: {Value: }}\n',
    "[/Resources/A/Type/Value] 'null' values are not allowed in templates",
  ],
  [
    // https://github.com/unbounce/iidy/issues/6
    'a GetAtt of an undefined resource',
    { Resources: { A: thing({ Value: { 'Fn::GetAtt': ['B', 'Arn'] } }) } },
    'Template error: instance of Fn::GetAtt references undefined resource B',
  ],
  [
    // https://github.com/aws/aws-toolkit-vscode/issues/1302
    'an output with a GetAtt of an undefined resource',
    { Resources: { A: thing() }, Outputs: { O: { Value: { 'Fn::GetAtt': ['B', 'Arn'] } } } },
    'Template error: instance of Fn::GetAtt references undefined resource B',
  ],
  [
    'a Sub with an attribute of an undefined resource',
    { Resources: { A: thing({ Value: { 'Fn::Sub': ['$', '{B.Arn}'].join('') } }) } },
    'Template error: instance of Fn::Sub references invalid resource attribute B.Arn',
  ],
  [
    'a GetAtt without an attribute',
    { Resources: { A: thing({ Value: { 'Fn::GetAtt': ['B'] } }) } },
    'Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute',
  ],
  [
    'Equals with one argument',
    { Conditions: { C: { 'Fn::Equals': ['x'] } }, Resources: { A: thing() } },
    'Template error: every Fn::Equals object requires a list of 2 string parameters.',
  ],
  [
    'a parameter without a value',
    { Parameters: { P: { Type: 'String' } }, Resources: { A: thing() } },
    'Parameters: [P] must have values',
  ],
  [
    'an invalid number',
    { Parameters: { P: { Type: 'Number', Default: 'x' } }, Resources: { A: thing() } },
    "Parameter 'P' must be a number.",
  ],
  [
    'a value that is not allowed',
    { Parameters: { P: { Type: 'String', Default: 'x', AllowedValues: ['y'] } }, Resources: { A: thing() } },
    "Parameter 'P' must be one of AllowedValues",
  ],
  [
    'a failed rule',
    {
      Rules: { R: { Assertions: [{ Assert: { 'Fn::Equals': ['a', 'b'] }, AssertDescription: 'no' }] } },
      Resources: { A: thing() },
    },
    'no',
  ],
];

test("reports template problems with AWS's messages", async () => {
  await using emu = await startStacks();
  for (const [what, template, message] of cases) {
    const TemplateBody = typeof template === 'string' ? template : JSON.stringify(template);
    const answer = await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody }));
    expect(answer.slice('ValidationError: '.length, 'ValidationError: '.length + message.length), what).toBe(message);
  }
  expect(await failureOf(emu.cfn.createStack({ StackName: 's' }))).toBe(
    'ValidationError: Either Template URL or Template Body must be specified.',
  );
  expect(await failureOf(emu.cfn.createStack({ StackName: 's', TemplateURL: 'x' }))).toBe(
    'ValidationError: TemplateURL must be a supported URL.',
  );
  // Violated limits of the API's model have the code of other mistakes, as recorded for too long bodies in
  // cloudformation/template_engine.snapshot.json.
  expect(await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody: '' }))).toBe(
    "ValidationError: 1 validation error detected: Value '' at 'templateBody' failed to satisfy constraint: Member must have length greater than or equal to 1",
  );
  expect((await emu.cfn.listStacks({})).StackSummaries).toEqual([]);
});

test('rejects unknown and unsupported properties before anything is created', async () => {
  await using emu = await startStacks();
  await emu.create('s', {
    Resources: {
      A: thing(),
      B: thing({ Nothing: 1 }),
      C: thing({ Unhandled: 'x' }),
      D: { Type: 'AWS::EC2::Instance' },
    },
  });
  const events = (await emu.events('s')).join('\n');
  expect(events).toContain(
    'B CREATE_FAILED Properties validation failed for resource B with message:\n#: extraneous key [Nothing] is not permitted',
  );
  expect(events).toContain(
    'C CREATE_FAILED The properties [Unhandled] of Test::Thing::Thing are not supported by emu (resource C)',
  );
  // AWS has the type, and starts the resource.
  expect(events).toContain(
    'D CREATE_IN_PROGRESS\nD CREATE_FAILED Resource type AWS::EC2::Instance is not supported by emu',
  );
  expect(emu.calls).toEqual([]);
});

test('replaces an unsupported type by a placeholder if the setting allows it', async () => {
  await using emu = await startStacks([], { settings: { values: { EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED: true } } });
  const Resources = { D: { Type: 'AWS::EC2::Instance', Properties: { X: 1 } }, E: { Type: 'Acme::Any::Thing' } };
  expect(await emu.create('s', { Resources })).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  expect(await failureOf(emu.create('t', { Resources: { D: { Type: 'AWS::EC2::Instances' } } }))).toBe(
    'ValidationError: Template format error: Unrecognized resource types: [AWS::EC2::Instances]',
  );
});

/** @see https://github.com/aws/aws-cli/issues/2684 and https://github.com/aws/aws-cli/issues/6805 */
test('rejects resource types that AWS lacks in every request with a template', async () => {
  await using emu = await startStacks();
  const types = { A: 'AWS::Foo::Bar', B: 'AWS::SNS::Topics', C: 'AWS::Serverless::Function', D: 'AWS::EC2::Instance' };
  const typed = Object.entries(types).map(([name, Type]) => [name, { Type }]);
  // The types are checked before the references.
  const TemplateBody = JSON.stringify({
    Resources: { ...Object.fromEntries(typed), T: thing({ Value: { Ref: 'Missing' } }) },
  });
  const problem =
    'ValidationError: Template format error: Unrecognized resource types: [AWS::Foo::Bar, AWS::SNS::Topics, AWS::Serverless::Function]';
  await emu.create('s', { Resources: { T: thing() } });
  const change = { StackName: 's', ChangeSetName: 'c', TemplateBody };
  for (const request of [
    emu.cfn.validateTemplate({ TemplateBody }),
    emu.cfn.getTemplateSummary({ TemplateBody }),
    emu.cfn.createStack({ StackName: 't', TemplateBody }),
    emu.cfn.updateStack({ StackName: 's', TemplateBody }),
    emu.cfn.createChangeSet(change),
  ])
    expect(await failureOf(request)).toBe(problem);
});

/** @see https://github.com/boto/boto/pull/2843 */
test('rejects a request with both the previous and another template', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { T: thing() } });
  const both = { StackName: 's', UsePreviousTemplate: true, TemplateBody: '{}' };
  for (const request of [emu.cfn.updateStack(both), emu.cfn.createChangeSet({ ...both, ChangeSetName: 'c' })])
    expect(await failureOf(request)).toBe(
      'ValidationError: You cannot specify both usePreviousTemplate and Template Body/Template URL',
    );
  const urls = { StackName: 's', TemplateBody: '{}', TemplateURL: 'https://b.s3.amazonaws.com/k' };
  expect(await failureOf(emu.cfn.updateStack(urls))).toBe(
    'ValidationError: You cannot specify both Template URL and Template Body.',
  );
});

/** @see https://github.com/rackerlabs/ebs_snapper/issues/56 */
test('a previous value needs a previous parameter, and may come with an empty value', async () => {
  await using emu = await startStacks();
  const Parameters = { P: { Type: 'String' } };
  const template = (Kind: string) => ({
    Parameters,
    Resources: { T: thing({ Value: { Ref: 'P' }, Settings: { Kind } }) },
  });
  const given = (ParameterValue?: string) => ({
    Parameters: [
      { ParameterKey: 'P', UsePreviousValue: true, ...(ParameterValue !== undefined && { ParameterValue }) },
    ],
  });
  await emu.create('s', template('a'), { Parameters: [{ ParameterKey: 'P', ParameterValue: 'v' }] });
  expect(await emu.update('s', template('b'), given(''))).toMatchObject({
    StackStatus: 'UPDATE_COMPLETE',
    Parameters: [{ ParameterKey: 'P', ParameterValue: 'v' }],
  });
  const problem = 'ValidationError: Invalid input for parameter key P. Cannot specify usePreviousValue as true';
  expect(await failureOf(emu.update('s', template('c'), given('w')))).toBe(
    `${problem} and non empty value for a parameter`,
  );
  await emu.create('t', { Resources: { T: thing() } });
  expect(await failureOf(emu.update('t', template('c'), given()))).toBe(
    `${problem} for a parameter key not in the previous template`,
  );
});

test('checks the result of transforms for null values, and other templates at once', async () => {
  await using emu = await startStacks();
  const template = { Resources: { T: thing({ Settings: { A: null } }) } };
  const problem = "[/Resources/T/Type/Settings/A] 'null' values are not allowed in templates";
  for (const request of [
    emu.create('s', template),
    emu.cfn.validateTemplate({ TemplateBody: JSON.stringify(template) }),
  ])
    expect(await failureOf(request)).toBe(`ValidationError: ${problem}`);
  const change = {
    StackName: 's',
    ChangeSetName: 'c',
    ChangeSetType: 'CREATE' as const,
    TemplateBody: JSON.stringify({ Transform: 'AWS::LanguageExtensions', ...template }),
  };
  await emu.cfn.createChangeSet(change);
  expect(await emu.cfn.describeChangeSet(change)).toMatchObject({ Status: 'FAILED', StatusReason: problem });
});

test('summarizes and validates a template', async () => {
  await using emu = await startStacks();
  const TemplateBody = JSON.stringify({
    Description: 'd',
    Metadata: { a: 1 },
    Parameters: { P: { Type: 'String', Default: 'x', NoEcho: true, AllowedValues: ['x'] } },
    Resources: { A: thing(), B: thing(), R: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'r' } } },
  });
  expect(await emu.cfn.validateTemplate({ TemplateBody })).toMatchObject({
    Description: 'd',
    Parameters: [{ ParameterKey: 'P', DefaultValue: 'x', NoEcho: true }],
    Capabilities: ['CAPABILITY_NAMED_IAM'],
    CapabilitiesReason: 'The following resource(s) require capabilities: [AWS::IAM::Role]',
  });
  expect(await emu.cfn.getTemplateSummary({ TemplateBody })).toMatchObject({
    Parameters: [{ ParameterKey: 'P', ParameterType: 'String', ParameterConstraints: { AllowedValues: ['x'] } }],
    ResourceTypes: ['Test::Thing::Thing', 'AWS::IAM::Role'],
    Metadata: '{"a":1}',
    ResourceIdentifierSummaries: [
      { ResourceType: 'Test::Thing::Thing', LogicalResourceIds: ['A', 'B'], ResourceIdentifiers: ['Name'] },
      { ResourceType: 'AWS::IAM::Role' },
    ],
  });
  const TemplateSummaryConfig = { TreatUnrecognizedResourceTypesAsWarnings: true };
  expect((await emu.cfn.getTemplateSummary({ TemplateBody, TemplateSummaryConfig })).Warnings).toBeUndefined();
  const unknown = { TemplateBody: JSON.stringify({ Resources: { X: { Type: 'AWS::No::Such' } } }) };
  expect((await emu.cfn.getTemplateSummary({ ...unknown, TemplateSummaryConfig })).Warnings).toEqual({
    UnrecognizedResourceTypes: ['AWS::No::Such'],
  });
  expect(await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody }))).toBe(
    'InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_NAMED_IAM]',
  );
  expect(await failureOf(emu.cfn.getTemplate({}))).toBe(
    'ValidationError: StackName is required if ChangeSetName is not specified.',
  );
  expect(await failureOf(emu.cfn.getTemplate({ StackName: 'none' }))).toBe(
    'ValidationError: Stack with id none does not exist',
  );
  expect((await emu.cfn.describeAccountLimits({})).AccountLimits).toContainEqual({ Name: 'StackLimit', Value: 2000 });
});

/** Returns 200 items of a loop. */
const many = (prefix: string): string[] => Array.from({ length: 200 }, (_, at) => `${prefix}${at}`);

/** Returns a value in levels of Fn::ToJsonString. */
const nestedJson = (value: unknown, levels: number): unknown =>
  levels === 0 ? value : { 'Fn::ToJsonString': { a: nestedJson(value, levels - 1) } };

test('expands loops of language extensions', async () => {
  await using emu = await startStacks();
  const TemplateBody = JSON.stringify({
    Transform: 'AWS::LanguageExtensions',
    Resources: {
      'Fn::ForEach::Loop': [
        'X',
        ['One', 'Two'],
        {
          'Thing${X}': thing({
            Value: { 'Fn::ToJsonString': { x: { Ref: 'X' } } },
            Size: { 'Fn::Length': ['a', 'b'] },
          }),
        },
      ],
    },
  });
  await emu.cfn.createStack({ StackName: 's', TemplateBody });
  expect((await emu.settled('s')).StackStatus).toBe('CREATE_COMPLETE');
  expect([...emu.things.values()].map(({ properties }) => properties)).toEqual([
    { Value: '{"x":"One"}', Size: 2 },
    { Value: '{"x":"Two"}', Size: 2 },
  ]);
  const processed = await emu.cfn.getTemplate({ StackName: 's', TemplateStage: 'Processed' });
  expect(Object.keys(JSON.parse(processed.TemplateBody!).Resources)).toEqual(['ThingOne', 'ThingTwo']);
});

test.each([
  [
    'loops with too much output',
    { 'Fn::ForEach::A': ['a', many('a'), { 'Fn::ForEach::B': ['b', many('b'), { 'T${a}${b}': thing({}) }] }] },
  ],
  [
    'loops without output',
    {
      T: thing({}),
      'Fn::ForEach::A': [
        'a',
        many('a'),
        {
          'Fn::ForEach::B': [
            'b',
            many('b'),
            { 'Fn::ForEach::C': ['c', many('c'), { 'Fn::ForEach::D': ['d', [], {}] }] },
          ],
        },
      ],
    },
  ],
  ['JSON of JSON', { T: thing({ Value: nestedJson('x', 40) }) }],
  ['JSON of JSON with functions', { T: thing({ Value: nestedJson({ Ref: 'AWS::Region' }, 40) }) }],
])('rejects language extensions with %s', async (_, Resources) => {
  await using emu = await startStacks();
  const TemplateBody = JSON.stringify({ Transform: 'AWS::LanguageExtensions', Resources });
  const created = await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody }));
  expect(created).toMatch(/exceeds 1000000 characters|produce more than 4000000 characters/);
});

test('rejects a text that functions repeat without limit', async () => {
  await using emu = await startStacks();
  const Parameters = { X: { Type: 'String', Default: 'x'.repeat(4000) } };
  const Value = { 'Fn::Sub': ['$', '{X}'].join('').repeat(1200) };
  const TemplateBody = JSON.stringify({ Parameters, Resources: { T: thing({ Value }) } });
  expect(await failureOf(emu.cfn.createStack({ StackName: 's', TemplateBody }))).toContain(
    'produce more than 4000000 characters',
  );
});

test("rejects a template with too many values; accepts one of AWS's maximum size", () => {
  const crowded = `A: [${'0,'.repeat(90_000)}0]`;
  expect(failureCode(() => parseTemplate(crowded))).toBe('RequestEntityTooLarge');
  const Mappings = Object.fromEntries(
    Array.from({ length: 9000 }, (_, index) => [`Region${index}`, { Image: `ami-${String(index).padStart(17, '0')}` }]),
  );
  const large = JSON.stringify({ Mappings: { Images: Mappings } }, null, 2);
  expect(large.length).toBeGreaterThan(600_000);
  expect(parseTemplate(large)).toEqual({ Mappings: { Images: Mappings } });
});

test.each([
  ['a duplicate key', '{"A": {"B": 1, "B": 2}}', 'JSON not well-formed. (line 1, column 16)'],
  ['a duplicate key with another escape', '{"A": 1, "\\u0041": 2}', 'JSON not well-formed. (line 1, column 10)'],
  ['nested lists', `{"A": ${'['.repeat(300)}${']'.repeat(300)}}`, 'the template is nested too deeply.'],
])('rejects JSON with %s', (_, text, message) => {
  expect(() => parseTemplate(text)).toThrow(message);
});

test('reads JSON like YAML', () => {
  const text =
    '{"__proto__": {"a:": [1, -0.5, 1e3, true]}, "q\\"\\\\\\u00e9": "\\ud83d\\ude00\\/", "OpenApiVersion": 3.0}';
  const value = parseTemplate(text);
  expect(JSON.stringify(value)).toBe(JSON.stringify(parseTemplate(`# YAML\n${text}`)));
  expect(value.OpenApiVersion).toBe('3.0');
  const { OpenApiVersion: _, ...others } = value;
  expect(JSON.stringify(parseTemplate(JSON.stringify(others)))).toBe(JSON.stringify(others));
});

function failureCode(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
}
