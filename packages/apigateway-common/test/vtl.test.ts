import { describe, expect, it } from 'vitest';
import { InputVariable, renderTemplate, TemplateError, UTIL } from '../src/index.ts';

const parameters = { path: { id: '7' }, querystring: { q: 'a b' }, header: { 'X-Test': 'yes' } };
const render = (template: string, body: unknown = '', more: Record<string, unknown> = {}): string =>
  renderTemplate(template, {
    input: new InputVariable(typeof body === 'string' ? body : JSON.stringify(body), parameters),
    util: UTIL,
    ...more,
  });

describe('a mapping template', () => {
  // How values are printed: the recordings of API Gateway, test_input_path_template_formatting and its neighbours.
  it.each([
    ["$input.path('$')", { foo: 'bar' }, '{foo=bar}'],
    ["$input.path('$')", [{ foo: 'bar' }], '[{"foo":"bar"}]'],
    ["$input.path('$.a')", { a: { foo: [{ nested: 'bar' }] } }, '{foo=[{"nested":"bar"}]}'],
    ["$input.path('$')", { bigger: 'dict', to: 'test', with: 'separators' }, '{bigger=dict, to=test, with=separators}'],
    ["$input.path('$').toString()", { list: [{ foo: 'bar' }] }, '{list=[{"foo":"bar"}]}'],
    ["[$input.path('$')]", '', '[]'],
    ['Action=SendMessage&MessageBody=$input.body', '', 'Action=SendMessage&MessageBody={}'],
    ['$input.body', 'some raw data', 'some raw data'],
    ['$util.urlEncode($input.body)', '{"some": "value"}', '%7B%22some%22%3A+%22value%22%7D'],
    ['$util.urlEncode($input.body.foo)', '{"some": "value"}', ''],
  ])('%s of %j is printed as %s', (template, body, expected) => {
    expect(render(template, body)).toBe(expected);
  });

  it.each([
    ["$input.json('$.a')", '[1,2]'],
    ["$input.json('$.nothing')", '""'],
    ["$input.json('$')", '{"a":[1,2],"b":{"c":"d","e":null}}'],
    ["$input.path('$.b').keySet().size()", '2'],
    ["#foreach($e in $input.path('$.b').entrySet())$e.key=$e.value;#end", 'c=d;e=;'],
    ["#foreach($i in $input.path('$.a'))$i#if($foreach.hasNext),#end#end", '1,2'],
    ["#set($m = {'x': 1, 'y': [1, 2]})$m.x $m['y'] $m", '1 [1, 2] {x=1, y=[1, 2]}'],
    ["#set($m = {})$!m.put('k', 'v')#set($m.l = 'w')$m", '{k=v, l=w}'],
    ["#set($m = [])#set($done = $m.add('v'))$m.size()$m.get(0)", '1v'],
    [
      "$input.params('id') $input.params('q') $input.params('x-test') $input.params().header.get('X-Test')",
      '7 a b yes yes',
    ],
    [
      "#set($s = 'a-b-c')$s.split('-').get(1) $s.replaceAll('-', '+') $s.substring(2) $s.toUpperCase().length()",
      'b a+b+c b-c 5',
    ],
    ['#set($n = 7 / 2)$n #set($f = 7.5 / 2)$f #set($r = 7 % 4)$r', '3 3.75 3'],
    ['#if($missing)yes#{else}no#end #if($missing == $null)null#end #if(!$missing)not#end', 'no null not'],
    ['#foreach($i in [1..5])#if($i == 3)#break#end$i#end.', '12.'],
    ['#macro(pair $a $b)<$a|$b>#end#pair("x" 2)', '<x|2>'],
    ["$util.escapeJavaScript('it''s')", ''],
    ['$util.base64Decode($util.base64Encode("täst"))', 'täst'],
    ['$util.parseJson("{""a"": 1}").a', ''],
    ['$missing.foo.bar()[0] end', ' end'],
    ['#[[ raw $input ]]# ## comment', ' raw $input  '],
  ])('%s', (template, expected) => {
    const body = { a: [1, 2], b: { c: 'd', e: null } };
    if (template.includes("''") || template.includes('""a""')) {
      // Doubled quotes are no VTL to the parser.
      expect(() => render(template, body)).toThrow(TemplateError);
      return;
    }
    expect(render(template, body)).toBe(expected);
  });

  it('cannot reach what JavaScript objects inherit', () => {
    const template = "$input.constructor $input.path('$').constructor.constructor $a.__proto__ $a.constructor('x')";
    expect(render(template, { x: 1 }, { a: {} })).toBe('   ');
    render("#set($a.__proto__ = {'polluted': 1})", '', { a: {} });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is bounded in what it does', () => {
    const grow = '#set($s = "0123456789")#foreach($i in [1..1000])#set($s = "$s$s")#end';
    expect(() => render(grow)).toThrow(TemplateError);
    const nest = '#foreach($i in [1..1000])#foreach($j in [1..1000])#foreach($k in [1..1000])x#end#end#end';
    expect(() => render(nest)).toThrow(TemplateError);
    expect(() => render('#macro(again)#again()#end#again()')).toThrow(TemplateError);
    expect(render('#foreach($i in [1..5000])x#end')).toHaveLength(1000);
  });
});
