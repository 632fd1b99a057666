import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bunzip2 } from '../src/select/compression/bunzip2.ts';

/** The letter a, 45,000,000 times. */
const BOMB = 'QlpoOTFBWSZTWXB2BjoBWKsBIKAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIODsDHQ=';
/**
 * Three streams: 2,000 lines `<n>,xxx…` followed by all byte values, an empty one, and `tail`. Created with bzip2 1.0.
 */
const STREAMS = [
  'QlpoMTFBWSZTWbMYWHsACQ9/////////////////////////////////////////////4Bh/cOcFAoJBQK4AAAHhAAA+ASASASASASASASAgNg',
  'AwAfKf6qaGTTCaNMmmmJkaMmjflU9RoxNPJPUZGmRkZPUZGn6UNNANGQ00aH6gn6oMRk0BkD9SPUeo0NGAR6mJ+qaaMmRpgRhkj0YSPUzTSZPE',
  '//9VVQEvUaaAaaAaAaGg0/9VQ//KqnqAAAAAAAAAAAAAPUAAAAAeoA00A00Bpp6jQDTQAADQAADR/+qqAhoJgTCYBNoBMAAEwJgmBMEwAAaAGo',
  'YAEwDSYBPUZMmAT0m/VBMAATATAACYTCMmAAjAACJPTSqfvaqUAAAAAAAaAAAAAAAAANAAaAA0AAAAAAAAAAAAAAAA0AAAGT/9VKf6kqfvaqqV',
  'NMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAI/UqU9TU3/qkqk/VAAAAAA0AADQAH6of+qfqqAAAAAAaAA0AAAAAAAAAAAAAAAAAAD//',
  'VVQce9MeH7NmN4x2xjlGO9GO6MWMcRjnGBLoXCCwQhPxxsFgza3N7g4uTm6DrqH9Xr9js7vDy9Er2+Pr8/hYCB9sEFg4SFhoeIiREV7jaLjI2O',
  'j5CRkveJQPh8ZOU+UrLfOXmEmZmpucnZ76Cp/6qNAChoqOk+1LTU61UVNVV1lbXV9hYsdlZ/e0tba3uLm6dAzl+Lu8vb6/wMHCD4eJi42PkZOV',
  '+ct8zM3O/WfoaOl+/5C6ep/dXW19jZ2tuN3N3e3+Dh/3/4uOT5OXm5+jp6hISYAAAAClQAAT9FR0kFuIPc7rd7yD3u+38JwIXg8Lh8SF4vGhuP',
  'D8h5yeVEQEPy4guAAA8JkhIAAeEkkAAPCSSAAHhJJHM5vOcuef0OjExPSiun1OrFdbr9js7HZbPaT9Bs9r/P9UO229FR0lLRbj+/8pv93O6p93',
  'Ubref9vd9/9TVVe/RqkN5uNrr9RKaDMTmVyXnR48eOxWJw3edtfusuvR88tXK17jAOOADkQA5YAOaAC3gBcQAnpkAL0AE0AE2AHfAB4oCRB5QB',
  'O3mQAGRADKJJJJJP+uUYXAAAdkkl9AAdkkkAAOySSIYYYZyKKKKKES06AGZACeADSgBqgA7X+AAoQApgSA3oDfU1C2Oq0s9mZ2TJkyWW9z1fRj',
  '+N3/b9l1rqLlDa7LYKyKwAFdACxgBoLSAFuAC4ABMABeAAvoCRB2gAd0y97AYQAMQAFmxaqighhhAdEkkASgOiSSAAHRJJAADokkhJOckkgGSA',
  'DKgBOABmAAv+fACUAGoBIDXABQABSgBUAAq6ej2ms00qVKlPv0Ocy8n2MhjMRhGCwF8u90lrZZ7DW7znQA0YAacANaAE+AFIAusG5ACpDOdf1X',
  'TdDbU/vz49JJJPaSSSSUDJlGPThmZmfmZmZmZmmrMzMzM0Cz+/Pj0zMzM9szMzJKfPqSSSSUuSSSSSgAAt4AXEAJuZAC9ABNAswRgA70APEADy',
  'wA88APUAD2wA0nxAB9IAfWAGkAD9AA/cBk4KCZAFIAG7ADflRS0Gu/OGhIKdp3hi4D2AESSQAAiSSAAESSQAAiYooofe9bHSzx/B7m/3u7S8vL',
  'y6YuUNrstgrIrAAV0ALGAGBtIAW4ALgDyAmAAvAAX0AMCAHdgBhQAxIASpAAZEAMoAHwgB9AAZ8Bk4NEZq7AfiAH7ABsgA5zbKqKCGGGHj6KKK',
  'KIgACLJJIAAiySSAAIskkhJOfQkkkklUAAq6ejn9bp9Hnfmyz2vT83yfDwcaNGjJvAXy73SWtlnsNbm4OKgmuLY6RjpGOkY6RjpGOkY6RjpGOk',
  'Y6RjpGOkY6RjpGOkY6RjpGOkY6RjpGOkY6RjpGOkY6RjpGOkY6RjpDpDpDp6tm0kkmSSdPAeA8B4DwHgPAeA8BzKUpSlKUpSlKUpSlKUpSlKUp',
  'SlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUpSlKUp',
  'SlKUpSlKUpSlKUpSlKUpSlKUpcXFxcXFxcXFxcXHsPDOMcY4xxjjHGOMcY4xcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcX',
  'FxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxceGPCh4UPCh/938d8753zvnfO+d8753ylKUpSlKUuLi4uLi4uLi4uO92',
  '9ne5dtu++9vbttbe3GdnY1VUPoiAOMwA5laeYxEQAQH0RIEBxmAHEwmtaqqH0RAHGYAcTCa1qqofREAcZgBxMJrWqqh9EQBxmAHEwmtaqqH0RA',
  'HGYAcTCa1qqofREAcZgBxMJrWqqh9EQBxmAHEwmtaqqH0RAHGdt7TPDHDw8dhyOZTuOZwcHMpSlKUpSlLisuLi4uLi4uLjju5b93e5ccb778cd',
  'u21t45QyQyQyQyQyQyQyQyQyTGSb7723ju33344ktvFmMkzEhkhkhkhkhkhkhkmM3m+9t47t99+OO3bbi3jlDJDJDJGcTG0MkMkMkMkMkxnbO3',
  't4447u7fffjjt224t45QyQyQyQyQyQyQyQyQyTGbzfe28d2++/HHbttxbxyhkhkhkhkhkhkhkhkhkmM3323tvHdvvvxx27bccXjlDJDJDJDJDJ',
  'DJDJDJDJMZvvtvbeO7fffjjt2244vHKGSGSGSGSGSGSGSGSGSYzffbe28d2++/HHbttxxeOUMkMkMkMkMkMkMkMkMkxm++/ZbeO7fffjjt2244',
  '445QyQyQyQyQyQyQyQyQyTGb779lt47t99+OO3bbjjjjlDJDJDJDJDJDJDJDJDJMZzObaOw5HMp3HM4ODmUpSlKUpSlxcXFxcXFztnHbOO2cdv',
  'BvvevBzbJLd61bd0AACSd8zL1JLd61bd0AACSd8zL1JLd61bd0AACSd8zL1JLd61bd0AcACSd8zL1JLd61bd0AACSd8zL1JLd61bd0AACSd8zL',
  '1JLd61bd0AACSd8zL1JLd61bd0AACSd8zL1JLd61bd0AACSd8zL1JLd61bd0BJJJJJOZzzNpnYcjmU7jmcHBzKUpSlKUpS4uLi4uLi4uds47Zx',
  '28G+968HNskt3rVtvIAAEkmZl6klu9att5AAAkkzMvUkt3rVtvIAAEkzeZZ1JbNatt5AAAkmbzLOpLZrVtvIATWgNSZvMs6ktmtW28gAASTN5l',
  'nUls1q23kAACSZvMs6ktmtW28gAASTN5lnUls1q23kAACSZvMs6ktmtW28gBJJJJzOeZ2TOw5HMp3HM4ODmUpSlKUpSlxcXFxcXFxcXO2cdvBv',
  'v4L4ObLJbNatt5AAAkmbzLOpLZrVtvIAAEkzeZZ1JbNatt5AAAkmbzLOpLZrVtvIAAEkzeZZ1JbNatt5AAAkmbzLOpLZrVtvIAGa0G973vMs6k',
  'tmtW28gAASTN5lnUls1q23kAACSZvMs6ktmtW28gAASTN5lnUls1q23kABJJOZzzOyZ2HI5lO45nBwcylKUpSlKUuLi4uLi4uLi4udvBvv4L4O',
  'bLJbNatu6AABJMmZZ1JbNatu6AABJMmZZ1JbNatu6AABJMmZZ1JbNatu6AABJMmZZ1JbNatu6AABJMmZZ1JbNatu6AABJMmZZ1JbNatu6AAc60',
  'b3vJmWdSZZrVt3QAAJJkzLOpLZrVt3QAAJJkzLOpLZrVt3QAAk5nNm07Dkcyncczg4OZSlKUpSlKXFxcXFxcXFxcXHe7ezwXwc2WS2a1bbyAAB',
  'JM3mWdSWzWrbeQAAJJm8yzqS2a1bbyAABJM3mWdSWzWrbeQAAJJm8yzqS2a1bbyAABJM3mWdSWzWrbeQAAJJmc5ZOpb31q23kAACSZnOWTqW99',
  'att5AADvrU7zM5yydS3vrVtvIAAEkzOcsnUt761bbyAAB4XZzZ2TsORzKdxzODg5lKUpSlKUpcXFxcXFxcXFxcd7t7O9y45WSy3vrVtvIAAEkz',
  'OcsnUt761bbyAABJMznLJ1Le+tW28gAASTM5yydS3vrVtvIAAEkzOcsnUt761bbyAABJMznLJ1Le+tW28gAASTM5yydS3vrVtvIAAEkzOcsnUt',
  '761bbyAABJMznLJ1Le+tW28gAAdb3vJzlk6lvfWrbeQAAPC7dvC7cdk7Dkcyncczg4OZSlKUpSlKXFxcXFxcXFxcXHe7ezvcuOXG+/Et761bd0',
  'AACSZm8snUt761bd0AACSZm8snUt761bd0AACSZm8snUt761bd0AACSZm8snUt761bd0AACSZm8snUt761bd0AACSZm8snUt761bd0AACSZm8s',
  'nUt761bd0AACSZm8snUt761bd0AACSZm8snUt761bd0AADfhdu2vC47Tt27xzKU5lODmUpSlKUpSlxcXFxcXFxcXFx3u3s73Ljlxvvxvxx2bat',
  't5AAAkmZzlk6lvfWrbeQAAJJmc5ZOpb31q23kAACSZnOWTqW99att5AAAkmZzlk6lvfWrbeQAAJJmc5ZOpb31q23kAACSZnOWTqW99att5AAAk',
  'mZzlk6lvfWrbeQAAJJmc5ZOpb31q23kAAB4N73l7eOzs7uONttrbxykkkkkkkkk25nOHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWH',
  'WHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWGoahqGoahqGoahqGoahqGoahqGoahqGoahqGoahqZmYzPe5nqkzNpm0bTNom2zaZm0zaNpm0ZmZjMza',
  'bRtNpmzxvEbxk8w3jeI3jeIiIiYREZmRmZmZmRmZmZs7du3Hbjt21oDgAA4AA4AA4AAOwAHAABwABwABwAAcAGu3bWjgADgAA4AA4AA4AA4AA4',
  'AA4AA4AA4AA4AA4AA4AAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOAAOA47duO3HDGzMxhmZqMMMzNQ1DUNQ1DUNQ1DUNQ1DU',
  'NQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1DUNQ1MamNTGp',
  'jUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1MamNTGpjUxqY1',
  'MamDMzNCOzt7u8XckU4UJCzGFh7AQlpoORdyRThQkAAAAABCWmg5MUFZJlNZOtEQ1gAAAkGAABAgJAQAIAAwzQDBpjBxdyRThQkDrRENYA==',
].join('');

async function* inPieces(bytes: Uint8Array, length: number) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function read(bytes: Uint8Array, length = 1000): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bunzip2(inPieces(bytes, length))) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('bzip2', () => {
  it('decompresses all streams, with any chunk size', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${index},${'x'.repeat(index % 300)}\n`).join('');
    const expected = Buffer.concat([
      Buffer.from(lines),
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
      Buffer.from('tail\n'),
    ]);
    for (const length of [1, 7, 1000, 1_000_000])
      expect((await read(Buffer.from(STREAMS, 'base64'), length)).equals(expected)).toBe(true);
  });

  it('yields to other tasks while a few bytes expand', async () => {
    let turns = 0;
    let ended = false;
    const count = (): void => {
      turns++;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    const hash = createHash('sha256');
    let size = 0;
    for await (const piece of bunzip2(inPieces(Buffer.from(BOMB, 'base64'), 100))) {
      expect(piece.length).toBeLessThanOrEqual(65_536);
      size += piece.length;
      hash.update(piece);
    }
    ended = true;
    expect(size).toBe(45_000_000);
    expect(hash.digest('hex')).toBe('50a95b50baa287f859439a1a6dc1ef575cb11b52343cb7c678b62e36857ba9e6');
    expect(turns).toBeGreaterThan(500);
  });

  it('rejects damaged and truncated input', async () => {
    const whole = Buffer.from(STREAMS, 'base64');
    for (const length of [1, 4, 10, 50, whole.length - 1])
      await expect(read(whole.subarray(0, length))).rejects.toThrow();
    for (const place of [0, 3, 5, 12, 40, 300, whole.length - 3]) {
      const damaged = Buffer.from(whole);
      damaged[place]! ^= 0x55;
      await expect(read(damaged), `byte ${place}`).rejects.toThrow();
    }
    expect(await read(Buffer.alloc(0))).toHaveLength(0);
  });
});
