import { describe, expect, it } from 'vitest';
import { longestTurn } from '../../../tools/testing/delays.ts';
import { InputVariable, renderTemplate, TemplateError, UTIL } from '../src/index.ts';

const parameters = { path: { id: '7' }, querystring: { q: 'a b' }, header: { 'X-Test': 'yes' } };
const render = (template: string, body: unknown = '', more: Record<string, unknown> = {}): Promise<string> =>
  renderTemplate(template, {
    input: new InputVariable(typeof body === 'string' ? body : JSON.stringify(body), parameters),
    util: UTIL,
    ...more,
  });

/** A document with values of every kind. */
const body = JSON.stringify({
  ...{ s: 'te"xt', n: 1.5, b: true, z: null, e: '' },
  l: [{ k: 1 }, { k: 2 }, { k: 3 }],
  m: { 'a b': 1, c: { d: [1] } },
});

describe('a mapping template', () => {
  // Each took seconds to minutes while methods counted by the size of their operands only.
  it.each([
    ['matches', '$s.matches("(a?){30}a*b")'],
    ['replaceAll', '$s.replaceAll("a", "b")'],
    ['replace', '$s.replace("a", "b")'],
    ['split', '$s.split("a")'],
    ['json', "$input.json('$')"],
  ])('counts the work of %s in loops', async (_, expression) => {
    const loop = `#set($s = $input.path('$.s'))#foreach($i in [1..900])#set($r = ${expression})#end`;
    const start = performance.now();
    await expect(render(loop, { s: 'a'.repeat(100_000) })).rejects.toThrow('The template exceeds a limit');
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it.each([
    ['a method', '$input.path("$.s").replaceAll("a", "b")'],
    ['loops', '#foreach($i in [1..1000])#foreach($j in [1..100])#set($x = $i + $j)#end#end'],
    ['methods in a loop', '#foreach($i in [1..40])#set($x = $input.path("$.s").replace("a", "b"))#end'],
  ])('takes turns with other work during %s', async (_, template) => {
    const renderings = () => Array.from({ length: 5 }, () => render(template, { s: 'a'.repeat(100_000) }));
    // The collector's threads count, too.
    const turns: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) turns.push(await longestTurn(() => Promise.allSettled(renderings())));
    expect(Math.min(...turns)).toBeLessThan(60);
  });

  // Printed values are from the recordings of API Gateway, test_input_path_template_formatting and related tests.
  it.each([
    ["$input.path('$')", { foo: 'bar' }, '{foo=bar}'],
    ["$input.path('$')", [{ foo: 'bar' }], '[{"foo":"bar"}]'],
    ["$input.path('$.a')", { a: { foo: [{ nested: 'bar' }] } }, '{foo=[{"nested":"bar"}]}'],
    ["$input.path('$')", { bigger: 'dict', to: 'test', with: 'separators' }, '{bigger=dict, to=test, with=separators}'],
    ["$input.path('$').toString()", { list: [{ foo: 'bar' }] }, '{list=[{"foo":"bar"}]}'],
    ["$input.path('$')[0]", [{ foo: 'bar' }], '{foo=bar}'],
    ["$input.path('$')[0]", [[{ foo: 'bar' }]], '[{"foo":"bar"}]'],
    ["[$input.path('$')]", '', '[]'],
    ["$input.path('$'),#if($input.path('$') == '')true#{else}false#end", [], '[],false'],
    ['Action=SendMessage&MessageBody=$input.body', '', 'Action=SendMessage&MessageBody={}'],
    ['$input.body', 'some raw data', 'some raw data'],
    ['$util.urlEncode($input.body)', '{"some": "value"}', '%7B%22some%22%3A+%22value%22%7D'],
    ['$util.urlEncode($input.body.foo)', '{"some": "value"}', ''],
  ])('%s of %j is printed as %s', async (template, body, expected) => {
    expect(await render(template, body)).toBe(expected);
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
    ['a#foreach($i in [1..5])$i#if($i == 2)#stop#end#end b', 'a12'],
    ['#macro(m)x#{stop}y#end#m()#m() z', 'x'],
    ['#[[ #stop ]]# #stops', ' #stop  #stops'],
    ['#macro(pair $a $b)<$a|$b>#end#pair("x" 2)', '<x|2>'],
    ["$util.escapeJavaScript('it''s')", ''],
    ['$util.base64Decode($util.base64Encode("täst"))', 'täst'],
    ['$util.parseJson("{""a"": 1}").a', ''],
    ['$missing.foo.bar()[0] end', ' end'],
    ['#[[ raw $input ]]# ## comment', ' raw $input  '],
  ])('%s', async (template, expected) => {
    const body = { a: [1, 2], b: { c: 'd', e: null } };
    if (template.includes("''") || template.includes('""a""')) {
      // Doubled quotes are invalid VTL.
      await expect(render(template, body)).rejects.toThrow(TemplateError);
      return;
    }
    expect(await render(template, body)).toBe(expected);
  });

  // Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
  it.each([
    ["$input.json('$.s')", '"te\\"xt"'],
    ["$input.path('$.s')", 'te"xt'],
    ["$input.json('$.n') $input.json('$.b') $input.json('$.z')", '1.5 true null'],
    ["$input.path('$.z')|", '|'],
    ["$input.json('$.l[*].k')", '[1,2,3]'],
    ["$input.json('$..k')", '[1,2,3]'],
    ["$input.json('$.l[0,2].k')", '[1,3]'],
    ["$input.json('$.l[1:].k') $input.json('$.l[-1:].k') $input.json('$.l[-1].k')", '[2,3] [3] 3'],
    ["$input.json('$.m.*')", '[1,{"d":[1]}]'],
    [`$input.json("$.m['a b']") $input.json("$['m']['c']")`, '1 {"d":[1]}'],
    // Jayway's JSONPath, to which AWS's reference of templates refers.
    ["$input.json('$.l[?(@.k > 1)].k') $input.json('nope')", '[2,3] ""'],
    ["$input.json('$.l[?(@.k in [1, 3])].k') $input.json('$.l.length()') $input.json('$.l[(@.k)]')", '[1,3] 3 ""'],
    ["$input.json('$.l[?(@.k =~ /[12]/)].k')", '[1,2]'],
    ["$input.path('$.l').size() $input.path('$.l').get(1).k $input.path('$.l')[2].k", '3 2 3'],
    // Path parameters take precedence over query parameters, and these over headers.
    ["$input.params('id') $input.params('q') $input.params('X-Test') [$input.params('none')]", '7 a b yes []'],
    ['$input.params().path.id $input.params().querystring.get("q") $input.params().header["X-Test"]', '7 a b yes'],
    ['#foreach($t in $input.params().keySet())$t,#end', 'path,querystring,header,'],
    ['$input.body', body],
    ["$util.escapeJavaScript($input.path('$.s'))", 'te\\"xt'],
    [`$util.escapeJavaScript("a'b/c\\d\u00e4")`, "a\\'b\\/c\\\\d\\u00E4"],
    ['$util.parseJson($input.body).m.c.d[0] $util.parseJson(\'[{"b":"c"}]\')[0].b', '1 c'],
    ['$util.urlEncode("a b&c~*-._é/") $util.urlDecode("a+b%26c%C3%A9")', 'a+b%26c%7E*-._%C3%A9%2F a b&cé'],
    ['$util.base64Encode("hé") $util.base64Decode("aMOp")', 'aMOp hé'],
    ['$stageVariables.v $stageVariables["v"] $stageVariables.get("v") [$stageVariables.none]', 'var var var []'],
    ['$context.identity.sourceIp $context.authorizer.claims.sub [$context.none]', '1.2.3.4 s []'],
    [
      "#foreach($x in $input.path('$.l'))$foreach.index$foreach.count$foreach.first$foreach.last$velocityCount #end",
      '01truefalse1 12falsefalse2 23falsetrue3 ',
    ],
    ['#foreach($e in $input.path("$.m").entrySet())$e.key,$e.getValue();#end', 'a b,1;c,{d=[1]};'],
    ['#set($s = "aXbXc")$s.indexOf("X")$s.lastIndexOf("X") $s.contains("b") $s.matches("a.*c")', '13 true true'],
    [
      '#set($s = "aXb")$s.startsWith("a") $s.endsWith("c") $s.equalsIgnoreCase("AXB") $s.isEmpty()',
      'true false true false',
    ],
    ['#set($s = " aXb ")$s.trim().concat("!") $s.trim().charAt(1) $s.trim().replace("X", "-")', 'aXb! X a-b'],
    ['#set($s = "a1b2")$s.replaceFirst("[0-9]", "_") $s.compareTo("b") $s.equals("a1b2")', 'a_b2 -1 true'],
    ['#set($i = 5)$i.toString().length() $i.intValue() #set($p = $i.parseInt("12") + 1)$p', '1 5 13'],
    [
      '#set($m = {"b": 1, "a": 2})$m.keySet() $m.values() $m.containsKey("a") $m.remove("a") $m',
      '[b, a] [1, 2] true 2 {b=1}',
    ],
    ['#set($m = {"b": 1})$m.getOrDefault("c", 3) $m.containsValue(1) $m.isEmpty() $m.entrySet()', '3 true false [b=1]'],
    [
      '#set($l = [3, 1, 2])$l.contains(1) $l.indexOf(2) $l.remove(0) $l.subList(0, 1) $l.isEmpty()',
      'true 2 3 [1] false',
    ],
    ['#set($l = [1])$l.addAll([2, 3]) $l.set(0, 9) $l', 'true 1 [9, 2, 3]'],
    ['#define($d)x$input.path("$.n")#end$d$d', 'x1.5x1.5'],
    ['#if($input.path("$.e") == "")y#end#if($input.path("$.n") > 1 && !$input.path("$.z"))y#end', 'yy'],
  ])('%s is %s', async (template, expected) => {
    const context = { identity: { sourceIp: '1.2.3.4' }, authorizer: { claims: { sub: 's' } } };
    const own = { path: { id: '7' }, querystring: { q: 'a b', id: 'no' }, header: { 'X-Test': 'yes', q: 'h' } };
    const variables = { input: new InputVariable(body, own), util: UTIL, stageVariables: { v: 'var' }, context };
    expect(await renderTemplate(template, variables)).toBe(expected);
  });

  it('cannot access inherited members of JavaScript objects', async () => {
    const template = "$input.constructor $input.path('$').constructor.constructor $a.__proto__ $a.constructor('x')";
    expect(await render(template, { x: 1 }, { a: {} })).toBe('   ');
    await render("#set($a.__proto__ = {'polluted': 1})", '', { a: {} });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is limited in steps and output', async () => {
    const grow = '#set($s = "0123456789")#foreach($i in [1..1000])#set($s = "$s$s")#end';
    await expect(render(grow)).rejects.toThrow(TemplateError);
    const nest = '#foreach($i in [1..1000])#foreach($j in [1..1000])#foreach($k in [1..1000])x#end#end#end';
    await expect(render(nest)).rejects.toThrow(TemplateError);
    await expect(render('#macro(again)#again()#end#again()')).rejects.toThrow(TemplateError);
    expect(await render('#foreach($i in [1..5000])x#end')).toHaveLength(1000);
  });
});
