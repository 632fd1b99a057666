import { describe, expect, it } from 'vitest';
import { readXml, type XmlElement, XmlError } from '../src/xml-reader.ts';

/** Returns an element as nested arrays: name, text, attributes, children. */
const shown = ({ name, text, attributes, children }: XmlElement): unknown[] => [
  name,
  text,
  ...(attributes ? [Object.fromEntries(attributes)] : []),
  ...(children ?? []).map(shown),
];

describe('the XML reader', () => {
  it.each([
    ['<a/>', ['a', '']],
    ['\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- x --><a>b</a>\n<!-- - -->\n', ['a', 'b']],
    ['<a>\r\n x\ry </a>', ['a', '\n x\ny ']],
    ['<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F639;&#xd;</a>', ['a', `<>&'"A😹\r`]],
    ['<a>x<![CDATA[<b>&amp;]]]]>y<![CDATA[]]></a>', ['a', 'x<b>&amp;]]y']],
    ['<a><b>1</b><?pi x?><c x = "1"\ty=\'"2&#x22;\'/></a >', ['a', '', ['b', '1'], ['c', '', { x: '1', y: '"2"' }]]],
    ['<s:a xmlns:s="urn:x"><s:b s:t="v\n"/></s:a>', ['a', '', { 'xmlns:s': 'urn:x' }, ['b', '', { 's:t': 'v ' }]]],
    ['<élan.1-x_:y/>', ['y', '']],
  ])('reads %j', (text, expected) => expect(shown(readXml(text))).toEqual(expected));

  it.each([
    ['', 'the document has no element'],
    ['text', 'there is text outside the root element'],
    ['<a/>b', 'there is text outside the root element'],
    ['<![CDATA[x]]><a/>', 'there is text outside the root element'],
    ['<a/><b/>', 'the document has several root elements'],
    ['<a>', 'element a is not closed'],
    ['<a></b>', 'the end tag of b closes another element'],
    ['</a>', 'the end tag of a closes another element'],
    ['<s:a></a>', 'the end tag of a closes another element'],
    ['<a', 'the tag of a is not well-formed'],
    ['<a /', 'the tag of a is not well-formed'],
    ['<a b="1"c="2"/>', 'the tag of a is not well-formed'],
    ['<a></a x>', 'the end tag of a is not well-formed'],
    ['< a/>', 'a name is expected'],
    ['<1/>', 'a name is expected'],
    ['<a b/>', 'attribute b has no value'],
    ['<a b=1/>', 'the value of attribute b is not quoted'],
    ['<a b="1/>', 'the value of attribute b is not quoted'],
    ['<a b="1" b="2"/>', 'attribute b is given twice'],
    ['<a b="<"/>', 'a character is not allowed'],
    ['<a>\u0001</a>', 'a character is not allowed'],
    ['<a>]]></a>', "']]>' is outside of a CDATA section"],
    ['<a>&</a>', 'an entity is undefined'],
    ['<a>&nbsp;</a>', 'an entity is undefined'],
    ['<a>&toString;</a>', 'an entity is undefined'],
    ['<a>&#0;</a>', 'a character reference is invalid'],
    ['<a>&#xD800;</a>', 'a character reference is invalid'],
    ['<a>&#x110000;</a>', 'a character reference is invalid'],
    ['<a><!-- x -- y --></a>', 'a comment is malformed'],
    ['<a><!-- x', 'a comment is malformed'],
    ['<a><![CDATA[x</a>', 'a CDATA section does not end'],
    ['<?xml version="1.0"', 'the declaration does not end'],
    ['<a/><?xml version="1.0"?>', 'an XML declaration is not at the start'],
    ['<!DOCTYPE a><a/>', 'a document type is declared'],
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'a document type is declared'],
    ['<a>'.repeat(501), 'elements are nested too deeply'],
    [`<a>${'<b/>'.repeat(250_000)}</a>`, 'there are too many elements'],
    [`<a ${Array.from({ length: 250_000 }, (_, index) => ` b${index}=""`).join('')}/>`, 'there are too many elements'],
  ])('rejects %.60j', (text, message) => {
    expect(() => readXml(text)).toThrow(XmlError);
    expect(() => readXml(text)).toThrow(message);
  });

  it('accepts the maximum number of elements and depth', () => {
    expect(readXml('<a>'.repeat(500) + '</a>'.repeat(500)).name).toBe('a');
    expect(readXml(`<a>${'<b/>'.repeat(1000)}</a>`).children).toHaveLength(1000);
  });
});
