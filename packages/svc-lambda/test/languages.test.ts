import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findDotnet } from '../src/interpreters/dotnet.ts';
import { findJava } from '../src/interpreters/java.ts';
import { findRuby } from '../src/interpreters/ruby.ts';
import { type RunningTest, startRunning } from './running.ts';

const ruby = await findRuby('3.3');
if (!ruby) console.log('skipped: handlers in Ruby, for this machine has no Ruby');
const java = await findJava('17');
const compiler = java && join(dirname(java.executable), 'javac');
const canCompile = hasCompiler(compiler);
if (!canCompile) console.log('skipped: handlers in Java, for this machine has no javac');

function hasCompiler(program: string | undefined): boolean {
  try {
    execFileSync(program ?? 'javac', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let home: string;
let test: RunningTest;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'emu-languages-'));
  test = await startRunning({ settings: { values: { EMULATOR_RUNTIME_DIR: join(home, 'runtime') } } });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

/** Writes a file below the home directory. @returns its path */
function file(path: string, contents: string | Uint8Array, mode = 0o644): string {
  const target = join(home, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, contents);
  chmodSync(target, mode);
  return target;
}

/** Source of the behaviour: https://github.com/aws/aws-lambda-ruby-runtime-interface-client. */
describe.skipIf(!ruby)('handlers in Ruby', () => {
  const define = (code: string, input: Parameters<RunningTest['define']>[1] = {}) =>
    test.define({ 'app.rb': code }, { Runtime: 'ruby3.3', Handler: 'app.handler', Timeout: 7, ...input });

  it('receive event and context, and return JSON', async () => {
    const name = await define(`
COUNT = [0]
def handler(event:, context:)
  COUNT[0] += 1
  { event: event, count: COUNT[0], id: context.aws_request_id, name: context.function_name, version: context.function_version,
    arn: context.invoked_function_arn, memory: context.memory_limit_in_mb, group: context.log_group_name,
    custom: context.client_context['custom'], remaining: (5000..7000).cover?(context.get_remaining_time_in_millis),
    task: Dir.pwd == ENV['LAMBDA_TASK_ROOT'], gems: ENV['GEM_PATH'].start_with?(Dir.pwd + '/vendor/bundle/ruby/3.3.0:'), text: 'ünï' }
end
`);
    const ClientContext = Buffer.from('{"custom":{"a":"b"}}').toString('base64');
    await test.invoke(name, {}, { ClientContext });
    const { payload, $metadata } = await test.invoke(name, { a: [1, 'é'] }, { ClientContext });
    expect(payload).toEqual({
      event: { a: [1, 'é'] },
      count: 2,
      id: $metadata.requestId,
      name,
      version: '$LATEST',
      arn: expect.stringContaining(`:function:${name}`),
      memory: '128',
      group: `/aws/lambda/${name}`,
      custom: { a: 'b' },
      remaining: true,
      task: true,
      gems: true,
      text: 'ünï',
    });
  });

  it('can be methods of classes, in folders, with code of layers', async () => {
    const ZipFile = zipOf({ 'ruby/lib/shared.rb': 'module Shared; NAME = "layer"; end' });
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({ LayerName: 'rb', Content: { ZipFile } });
    const code = `require 'shared'\nclass App\n  def self.run(event:, context:)\n    Shared::NAME\n  end\nend\n`;
    const name = await test.define(
      { 'lib/app.rb': code },
      { Runtime: 'ruby3.3', Handler: 'lib/app.App.run', Layers: [LayerVersionArn!] },
    );
    expect((await test.invoke(name)).payload).toBe('layer');
  });

  it('find gems of the user', async () => {
    const abi = `${ruby!.version.split('.').slice(0, 2).join('.')}.0`;
    const gems = `.local/share/gem/ruby/${abi}`;
    file(`${gems}/gems/emu-sample-1.0.0/lib/emu-sample.rb`, 'EMU_SAMPLE = "gem"');
    const specification = `Gem::Specification.new { |s| s.name = 'emu-sample'; s.version = '1.0.0'; s.summary = 'x'; s.authors = ['x'] }`;
    file(`${gems}/specifications/emu-sample-1.0.0.gemspec`, specification);
    vi.stubEnv('HOME', home);
    const name = await define(`require 'emu-sample'\ndef handler(event:, context:)\n  EMU_SAMPLE\nend\n`);
    expect((await test.invoke(name)).payload).toBe('gem');
  });

  it("log in AWS's format", async () => {
    const code = `require 'logger'
LOGGER = Logger.new($stdout, progname: 'shop')
def handler(event:, context:)
  puts "multi\\nline", 2
  LOGGER.info('hello')
  warn 'error output'
  nil
end
`;
    const { log, payload, $metadata } = await test.invoke(await define(code));
    expect(payload).toBeNull();
    expect(log).toMatch(
      new RegExp(
        `^START [^\\n]*\\nmulti\\nline\\n2\\nI, \\[\\d{4}-\\d\\d-\\d\\dT[\\d:.]+ #\\d+\\]  INFO ${$metadata.requestId} -- shop: hello\\nerror output\\nEND `,
      ),
    );
    const json = await define(code, { LoggingConfig: { LogFormat: 'JSON' } });
    const { log: lines, $metadata: second } = await test.invoke(json);
    expect(lines.split('\n').flatMap((line) => (line.includes('"hello"') ? JSON.parse(line) : []))).toMatchObject([
      { level: 'INFO', message: 'hello', logger: 'shop', requestId: second.requestId },
    ]);
  });

  it("fail with AWS's errors", async () => {
    const failure = async (body: string, Handler = 'app.handler', rest = '') =>
      test.invoke(await define(`${rest}\ndef handler(event:, context:)\n  ${body}\nend\n`, { Handler }));
    const raised = await failure("raise ArgumentError, 'no good'");
    expect(raised).toMatchObject({
      FunctionError: 'Unhandled',
      payload: {
        errorMessage: 'no good',
        errorType: 'Function<ArgumentError>',
        stackTrace: [expect.stringMatching(/^\/var\/task\/app\.rb:3:in [`']handler'$/)],
      },
    });
    expect(raised.log).toContain('Error raised from handler method\n{\n  "errorMessage": "no good",');
    expect((await failure('missing_name')).payload).toMatchObject({ errorType: 'Function<NameError>' });
    expect((await failure('exit 3')).payload).toMatchObject({ errorType: 'Function<SystemExit>' });
    expect((await failure('1', 'app')).payload).toMatchObject({
      errorType: 'Init<ArgumentError>',
      errorMessage: expect.stringMatching(/^Invalid handler \["app"\], must be of form FILENAME\.METHOD/),
    });
    expect((await failure('1', 'gone.handler')).payload).toMatchObject({
      errorType: 'Init<LoadError>',
      errorMessage: 'cannot load such file -- gone',
    });
    expect((await failure('1', 'app.handler', "require 'aws-sdk-emu'")).payload).toMatchObject({
      errorType: 'Init<LoadError>',
      errorMessage:
        "cannot load such file -- aws-sdk-emu\nAWS's runtimes include aws-sdk-emu; emu finds it after: gem install aws-sdk-emu",
    });
  });
});

/** A double of AWS's client: it runs \`Class::method\` of the package, with the first layer's path and its own arguments. */
const JAVA_CLIENT = `package com.amazonaws.services.lambda.runtime.api.client;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Paths;
public class AWSLambda {
  public static void main(String[] args) throws Exception {
    String api = "http://" + System.getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/invocation/";
    URL task = Paths.get(System.getProperty("user.dir")).toUri().toURL();
    String[] handler = args[0].split("::");
    Class<?> type = new URLClassLoader(new URL[] { task }).loadClass(handler[0]);
    HttpClient client = HttpClient.newHttpClient();
    while (true) {
      var next = client.send(HttpRequest.newBuilder(URI.create(api + "next")).build(), BodyHandlers.ofString());
      String id = next.headers().firstValue("lambda-runtime-aws-request-id").get();
      String body = (String) type.getMethod(handler[1], String.class).invoke(null, next.body());
      var answer = HttpRequest.newBuilder(URI.create(api + id + "/response")).POST(HttpRequest.BodyPublishers.ofString(body));
      client.send(answer.build(), BodyHandlers.ofString());
    }
  }
}`;

const HANDLER = `package shop;
public class Handler {
  public static String handle(String event) {
    return "{\\"event\\":" + event + ",\\"heap\\":" + Runtime.getRuntime().maxMemory() / 1048576 + "}";
  }
}`;

describe('handlers in Java', () => {
  /** Compiles a class. @returns its archive */
  const compile = (path: string, source: string): Buffer => {
    const output = join(home, 'classes', path);
    execFileSync(compiler!, ['-d', output, file(`sources/${path}.java`, source)]);
    return zipOf({ [`${path}.class`]: readFileSync(join(output, `${path}.class`)) }) as Buffer;
  };
  const JARS = ['aws-lambda-java-runtime-interface-client', 'aws-lambda-java-core', 'aws-lambda-java-serialization'];

  it.skipIf(!canCompile)(
    "run with AWS's client, in the runtime directory or Maven's",
    { timeout: 60_000 },
    async () => {
      const client = compile('com/amazonaws/services/lambda/runtime/api/client/AWSLambda', JAVA_CLIENT);
      const ZipFile = compile('shop/Handler', HANDLER);
      const Runtime = 'java17' as const;
      const input = { Runtime, Handler: 'shop.Handler::handle', MemorySize: 512, Timeout: 30, Code: { ZipFile } };
      const name = await test.create('java', input);
      vi.stubEnv('HOME', home);
      await expect(test.invoke(name)).rejects.toMatchObject({
        name: 'InvalidRuntimeException',
        message: `emu cannot run ${name} (java17): install AWS's runtime interface client: mvn dependency:get -Dartifact=com.amazonaws:aws-lambda-java-runtime-interface-client:RELEASE, or put the jars of ${JARS.join(', ')} into ${join(home, 'runtime', 'java')}.`,
      });
      const empty = zipOf({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\n' });
      for (const [index, jar] of JARS.entries())
        for (const version of ['1.9.0', '1.10.0']) {
          const content = index === 0 && version === '1.10.0' ? client : empty;
          file(`.m2/repository/com/amazonaws/${jar}/${version}/${jar}-${version}.jar`, content);
        }
      expect((await test.invoke(name, { a: 1 })).payload).toEqual({ event: { a: 1 }, heap: expect.closeTo(400, -2) });
    },
  );

  it('run with the Java of their version, in JAVA_HOME or the places of distributions', async () => {
    const ELF = Buffer.from('7f454c46', 'hex');
    const place = (path: string, version: string): string => {
      file(`${path}/release`, `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
      return file(`${path}/bin/java`, ELF, 0o755);
    };
    const [eight, sdkman] = [place('jre8', '1.8.0_402'), place('.sdkman/candidates/java/33.0.2-tem', '33.0.2')];
    vi.stubEnv('HOME', home);
    vi.stubEnv('SDKMAN_DIR', undefined);
    vi.stubEnv('JAVA_HOME', join(home, 'jre8'));
    expect(await findJava('8')).toEqual({ executable: eight, version: '8.0.402', selected: true });
    expect(await findJava('33')).toEqual({ executable: sdkman, version: '33.0.2', selected: false });
  });
});

describe('handlers in .NET', () => {
  it("run with AWS's client, or without one as executable assemblies", async () => {
    // Answers each invocation with its own arguments.
    const program = `#!/bin/sh
dir=$(pwd)
args=$(printf '%s ' "$@" | sed "s#$dir#/var/task#g")
exec '${process.execPath}' -e '
const http = require("http");
const api = "http://" + process.env.AWS_LAMBDA_RUNTIME_API + "/2018-06-01/runtime/invocation/";
const next = () => http.get(api + "next", (response) => {
  const id = response.headers["lambda-runtime-aws-request-id"];
  response.resume().on("end", () => http.request(api + id + "/response", { method: "POST" }, (done) => done.resume().on("end", next)).end(JSON.stringify(process.argv[1])));
});
next();' "$args"
`;
    file('dotnet/dotnet', program, 0o755);
    for (const version of ['8.0.1', '8.0.11'])
      mkdirSync(join(home, 'dotnet/shared/Microsoft.NETCore.App', version), { recursive: true });
    vi.stubEnv('DOTNET_ROOT', join(home, 'dotnet'));
    const files = { 'Shop.dll': '', 'Shop.deps.json': '{}', 'Shop.runtimeconfig.json': '{}' };
    const invoke = async (
      Handler: string,
      Runtime: 'dotnet8' | 'dotnet6' = 'dotnet8',
      package_: Record<string, string> = files,
    ) => test.invoke(await test.define(package_, { Runtime, Handler }));
    expect((await invoke('Shop')).payload).toBe('exec /var/task/Shop.dll ');
    expect((await invoke('Shop', 'dotnet6')).payload).toBe('exec --roll-forward LatestMajor /var/task/Shop.dll ');
    await expect(invoke('Shop::Shop.Handler::Run')).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: expect.stringContaining(`: install Amazon.Lambda.RuntimeSupport.dll: dotnet publish`),
    });
    file('runtime/dotnet/Amazon.Lambda.RuntimeSupport.dll', '');
    expect((await invoke('Shop::Shop.Handler::Run')).payload).toMatch(
      /^exec --depsfile \/var\/task\/Shop\.deps\.json --runtimeconfig \/var\/task\/Shop\.runtimeconfig\.json \S+\/dotnet\/Amazon\.Lambda\.RuntimeSupport\.dll Shop::Shop\.Handler::Run $/,
    );
    expect((await invoke('Shop::Shop.Handler::Run', 'dotnet8', { 'Shop.dll': '' })).payload).toMatchObject({
      errorType: 'Runtime.InvalidEntrypoint',
      errorMessage: expect.stringContaining('it is missing the required .deps.json file.'),
    });
  });

  it.skipIf(findDotnet('8', { PATH: '', HOME: '/missing' }))('name what to install', async () => {
    vi.stubEnv('PATH', '/missing');
    vi.stubEnv('HOME', home);
    vi.stubEnv('DOTNET_ROOT', undefined);
    await expect(
      test.invoke(await test.define({ 'Shop.dll': '' }, { Runtime: 'dotnet8', Handler: 'Shop' })),
    ).rejects.toMatchObject({ message: expect.stringContaining('no .NET was found; install the .NET 8 runtime.') });
  });
});
