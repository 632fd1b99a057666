// Runs a function's handler in Node.js: the runtime side of the Lambda Runtime API. It uses HTTP over a bare socket and
// loads only modules that ordinary functions need, because loading them is part of every cold start.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { format } = require('node:util');

const { env } = process;
const [apiHost, apiPort] = env.AWS_LAMBDA_RUNTIME_API.split(':');
const API = '/2018-06-01/runtime';
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
/** Path of the response URLs of custom resources. */
const RESPONSES = '/_cloudformation/responses/';
const HTTP_INTEGRATION = 'application/vnd.awslambda.http-integration-response';
const jsonLogs = env.AWS_LAMBDA_LOG_FORMAT === 'JSON';
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const threshold = jsonLogs ? Math.max(0, LEVELS.indexOf(env.AWS_LAMBDA_LOG_LEVEL ?? 'INFO')) : 0;

/** The current invocation. */
let requestId;

// --- Output -------------------------------------------------------------------------------------------------------

/** Writes synchronously and completely: lines must be written before the end of the invocation is reported. */
function writeOut(text) {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += fs.writeSync(1, bytes, offset);
    } catch (error) {
      if (error.code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const TASK_ROOT = env.LAMBDA_TASK_ROOT;
/** Replaces paths of the package by those on AWS, wherever it is unpacked. */
const shown = (text) => (TASK_ROOT === '/var/task' ? text : text.replaceAll(`${TASK_ROOT}/`, '/var/task/'));

const isError = (value) => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** Returns the logged form of an error: type, message, own fields and stack. */
function describeError(error) {
  if (!isError(error)) return { errorType: typeof error, errorMessage: String(error), stack: [] };
  return {
    errorType: error.name ?? 'UnknownError',
    errorMessage: error.message,
    ...error,
    stack: typeof error.stack === 'string' ? shown(error.stack).split('\n') : error.stack,
  };
}

function stringify(value) {
  try {
    return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item));
  } catch (error) {
    return JSON.stringify({ errorType: 'UnknownError', errorMessage: error.message });
  }
}

/** Marks the newlines within one log event. */
const joined = (text) => text.replace(/\n/g, '\0\r');

function log(level, args) {
  if (LEVELS.indexOf(level) < threshold) return;
  const timestamp = new Date().toISOString();
  if (!jsonLogs) {
    const text = format(...args);
    writeOut(`${timestamp}\t${requestId}\t${level}\t${joined(args.some(isError) ? shown(text) : text)}\n`);
    return;
  }
  const line = { timestamp, level, requestId };
  const error = args.find(isError);
  if (error) {
    const { errorType, errorMessage, stack } = describeError(error);
    Object.assign(line, { errorType, errorMessage, stackTrace: stack });
  }
  line.message = args.length === 1 && !isError(args[0]) ? args[0] : format(...args);
  let text;
  try {
    text = JSON.stringify(line);
  } catch {
    text = JSON.stringify({ ...line, message: format(line.message) });
  }
  writeOut(`${text}\n`);
}

for (const [name, level] of Object.entries({
  log: 'INFO',
  info: 'INFO',
  debug: 'DEBUG',
  warn: 'WARN',
  error: 'ERROR',
  fatal: 'FATAL',
}))
  console[name] = (...args) => log(level, args);
console.trace = (...args) => {
  const trace = { name: 'Trace', message: format(...args) };
  Error.captureStackTrace(trace, console.trace);
  log('TRACE', [trace.stack]);
};

function logError(what, error) {
  if (jsonLogs) log('ERROR', [what, error]);
  else log('ERROR', [`${what} \t${stringify(describeError(error))}`]);
}

// --- HTTP ---------------------------------------------------------------------------------------------------------

/** The only connection; requests may be pipelined, and responses arrive in order. */
const socket = net.connect({ host: apiHost, port: Number(apiPort), noDelay: true });
let received = Buffer.alloc(0);
const waiting = [];
socket.on('data', (chunk) => {
  received = received.length ? Buffer.concat([received, chunk]) : chunk;
  for (let answer = takeAnswer(); answer; answer = takeAnswer()) waiting.shift()?.(answer);
});
socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(1));

/** Minimum number of buffered bytes before the next parsing attempt. */
let needed = 0;
function takeAnswer() {
  if (received.length < needed) return undefined;
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [status, ...lines] = received.latin1Slice(0, end).split('\r\n');
  const headers = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = Number(headers['content-length'] ?? 0);
  needed = end + 4 + length;
  if (received.length < needed) return undefined;
  const body = received.subarray(end + 4, needed);
  received = received.subarray(needed);
  needed = 0;
  return { status: Number(status.split(' ')[1]), headers, body };
}

const head = (method, target, headers = '') => `${method} ${API}${target} HTTP/1.1\r\nHost: lambda\r\n${headers}`;
const field = (name, value) => `${name}: ${String(value).replace(/[^\t\x20-\x7e]/g, ' ')}\r\n`;

/** Sends a complete request. */
function send(method, target, headers, body, done) {
  waiting.push(done);
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(`${head(method, target, headers)}${length}\r\n${body ?? ''}`);
}

const ignore = () => {};

/** Requests the next invocation; the connection keeps the process alive only while waiting for it. */
function next() {
  requestId = undefined;
  send('GET', '/invocation/next', '', undefined, (answer) => {
    socket.unref();
    run(answer);
  });
  socket.ref();
}

/**
 * Sends the result of an invocation and the request for the next in one write, so that the emulator wakes up once and
 * does not wait for the second part on a busy machine.
 */
function endWith(sendEnd) {
  socket.cork();
  sendEnd();
  next();
  socket.uncork();
}

function errorBody(error) {
  try {
    if (!isError(error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
    return {
      errorType: String(error.name).replaceAll('\x7f', '%7F'),
      errorMessage: String(error.message).replaceAll('\x7f', '%7F'),
      trace: shown(String(error.stack)).replaceAll('\x7f', '%7F').split('\n'),
    };
  } catch {
    return {
      errorType: 'handled',
      errorMessage:
        'callback called with Error argument, but there was a problem while retrieving one or more of its message, name, and stack',
      trace: [],
    };
  }
}

/** Sends an error of the initialization or of an invocation. */
function sendError(target, error, done) {
  const body = errorBody(error);
  const headers =
    field('Content-Type', 'application/json') + field('Lambda-Runtime-Function-Error-Type', body.errorType);
  send('POST', target, headers, JSON.stringify(body), done);
}

/** Ends the process after the error has been sent. */
function failWith(target, error, code) {
  socket.ref();
  sendError(target, error, () => process.exit(code));
}

// --- Errors -------------------------------------------------------------------------------------------------------

function named(name, message, cause) {
  const error = new Error(message);
  error.name = name;
  if (cause?.stack) error.stack = `${name}: ${message}\n${cause.stack.split('\n').slice(1).join('\n')}`;
  return error;
}

const currentTarget = () => (requestId === undefined ? '/init/error' : `/invocation/${requestId}/error`);
process.on('uncaughtException', (error) => {
  logError('Uncaught Exception', error);
  failWith(currentTarget(), error, 129);
});
process.on('unhandledRejection', (reason, promise) => {
  const error = named('Runtime.UnhandledPromiseRejection', String(reason), isError(reason) ? reason : undefined);
  error.reason = isError(reason) ? describeError(reason) : reason;
  error.promise = promise;
  logError('Unhandled Promise Rejection', error);
  failWith(currentTarget(), error, 128);
});

// --- The handler ---------------------------------------------------------------------------------------------------

/** Returns the module type of a directory's files from the nearest package.json. */
function isModuleDirectory(directory) {
  for (let at = directory; ; at = path.dirname(at)) {
    try {
      return JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8')).type === 'module';
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return false;
    }
    if (path.dirname(at) === at || path.basename(at) === 'node_modules') return false;
  }
}

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
const importFile = (file) => import(require('node:url').pathToFileURL(file).href);

/**
 * Redirects responses of CloudFormation's custom resources to the emulator. Their libraries take host and path of the
 * response URL and use TLS on the default port, as for AWS's URLs.
 */
function answerLocally() {
  const https = require('node:https');
  if (https.request[RESPONSES]) return;
  const http = require('node:http');
  const { request } = https;
  https.request = (options, ...rest) => {
    const target = typeof options === 'string' || options instanceof URL ? undefined : options;
    if (!String(target?.path).startsWith(RESPONSES)) return request(options, ...rest);
    const { hostname, port } = new URL(env.AWS_ENDPOINT_URL);
    const { host: _host, agent: _agent, protocol: _protocol, ...others } = target;
    return http.request({ ...others, hostname, port }, ...rest);
  };
  https.request[RESPONSES] = true;
}

async function loadModule(root, directory, name) {
  const base = path.resolve(root, directory, name);
  if (isFile(base)) return require(base);
  if (isFile(`${base}.js`))
    return isModuleDirectory(path.dirname(base)) ? importFile(`${base}.js`) : require(`${base}.js`);
  if (isFile(`${base}.mjs`)) return importFile(`${base}.mjs`);
  if (isFile(`${base}.cjs`)) return require(`${base}.cjs`);
  return require(require.resolve(name, { paths: [root, path.resolve(root, directory)] }));
}

async function loadHandler(root, full) {
  if (full.includes('..'))
    throw named(
      'Runtime.MalformedHandlerName',
      `'${full}' is not a valid handler name. Use absolute paths when specifying root directories in handler names.`,
    );
  const directory = full.slice(0, full.length - path.basename(full).length);
  const match = /^([^.]*)\.(.*)$/.exec(path.basename(full));
  if (!match) throw named('Runtime.MalformedHandlerName', 'Bad handler');
  let found;
  try {
    found = await loadModule(root, directory, match[1]);
  } catch (error) {
    if (error instanceof SyntaxError) throw named('Runtime.UserCodeSyntaxError', String(error), error);
    if (error?.code === 'MODULE_NOT_FOUND' || error?.code === 'ERR_MODULE_NOT_FOUND')
      throw named('Runtime.ImportModuleError', shown(String(error)), error);
    throw error;
  }
  for (const part of match[2].split('.')) found = found?.[part];
  if (!found) throw named('Runtime.HandlerNotFound', `${full} is undefined or not exported`);
  if (typeof found !== 'function') throw named('Runtime.HandlerNotFound', `${full} is not a function`);
  const version = Number(/nodejs(\d+)/.exec(env.AWS_EXECUTION_ENV ?? '')?.[1] ?? 0);
  if (version >= 24 && found.length >= 3 && !found[STREAMING])
    throw named(
      'Runtime.CallbackHandlerDeprecated',
      'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24. You need to modify this function to use a supported handler signature to use Node.js 24 or later. For more information see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.',
    );
  return found;
}

// --- Invocations ---------------------------------------------------------------------------------------------------

let handler;
/** Called when the event loop is empty while an invocation runs. */
let onIdle = ignore;
process.on('beforeExit', () => {
  const idle = onIdle;
  onIdle = ignore;
  idle();
});

function contextOf(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  let waits = true;
  const parsed = (name) => (headers[name] ? JSON.parse(headers[name]) : undefined);
  const context = {
    get callbackWaitsForEmptyEventLoop() {
      return waits;
    },
    set callbackWaitsForEmptyEventLoop(value) {
      waits = value;
    },
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: parsed('lambda-runtime-client-context'),
    identity: parsed('lambda-runtime-cognito-identity'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: requestId,
    tenantId: headers['lambda-runtime-aws-tenant-id'],
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  return context;
}

/** Runs one invocation and then requests the next. */
function run({ headers, body }) {
  const id = headers['lambda-runtime-aws-request-id'];
  requestId = id;
  const trace = headers['lambda-runtime-trace-id'];
  if (trace) env._X_AMZN_TRACE_ID = trace;
  else delete env._X_AMZN_TRACE_ID;
  let done = false;
  /** Whether this call ends the invocation first. */
  const finish = () => {
    if (done) return false;
    done = true;
    onIdle = ignore;
    return true;
  };
  const fail = (error) => {
    if (!finish()) return;
    logError('Invoke Error', error);
    endWith(() => sendError(`/invocation/${id}/error`, error, ignore));
  };
  const succeed = (result) => {
    if (done) return;
    let json;
    try {
      json = JSON.stringify(result === undefined ? null : result) ?? 'null';
    } catch (error) {
      fail(named('Runtime.MarshalError', String(error), error));
      return;
    }
    finish();
    endWith(() => send('POST', `/invocation/${id}/response`, 'Content-Type: application/json\r\n', json, ignore));
  };
  try {
    const context = contextOf(headers);
    const text = body.toString();
    if (text.includes(RESPONSES)) answerLocally();
    const event = JSON.parse(text);
    if (handler[STREAMING]) {
      runStreaming(id, event, context, finish);
      return;
    }
    const callback = (error, result) => {
      const end = () => (error === undefined || error === null ? succeed(result) : fail(error));
      if (!context.callbackWaitsForEmptyEventLoop) end();
      else if (!done) onIdle = end;
    };
    context.done = callback;
    context.succeed = (result) => callback(null, result);
    context.fail = (error) => callback(error ?? 'handled');
    onIdle = () => succeed(null);
    const result = handler(event, context, callback);
    if (typeof result?.then !== 'function') return;
    onIdle = () => fail(unsettled());
    result.then(succeed, fail);
  } catch (error) {
    fail(error);
  }
}

const unsettled = () =>
  named(
    'Runtime.NodeJsExit',
    'The Lambda runtime client detected an unexpected Node.js exit code. This is most commonly caused by a Promise that was never settled. For more information, see https://nodejs.org/docs/latest/api/process.html#exit-codes',
  );

// --- Streamed responses --------------------------------------------------------------------------------------------

/** A writable stream whose bytes are sent immediately as the response of an invocation. */
function responseStream(id) {
  const { Writable } = require('node:stream');
  let contentType = 'application/octet-stream';
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    stream.emit('begin');
    waiting.push(ignore);
    const headers =
      field('Content-Type', contentType) +
      'Lambda-Runtime-Function-Response-Mode: streaming\r\nTransfer-Encoding: chunked\r\n' +
      'Trailer: Lambda-Runtime-Function-Error-Type\r\nTrailer: Lambda-Runtime-Function-Error-Body\r\n';
    socket.write(`${head('POST', `/invocation/${id}/response`, headers)}\r\n`);
  };
  const stream = new Writable({
    write(chunk, _encoding, done) {
      begin();
      if (chunk.length === 0) {
        done();
        return;
      }
      socket.cork();
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n', done);
      process.nextTick(() => socket.uncork());
    },
    final(done) {
      begin();
      socket.write('0\r\n\r\n', done);
    },
  });
  stream.setContentType = (type) => {
    if (begun) throw named('InvalidStreamingOperation', 'Cannot set content-type, too late.');
    contentType = type;
  };
  /** Ends the response with an error; returns whether it had begun. */
  stream.abort = (error) => {
    stream.destroy();
    if (!begun) return false;
    const body = errorBody(error);
    const trailers =
      field('Lambda-Runtime-Function-Error-Type', body.errorType) +
      field('Lambda-Runtime-Function-Error-Body', Buffer.from(JSON.stringify(body)).toString('base64'));
    socket.write(`0\r\n${trailers}\r\n`);
    return true;
  };
  return stream;
}

function runStreaming(id, event, context, finish) {
  const stream = responseStream(id);
  // Errors of writes after the end are ignored.
  stream.on('error', ignore);
  const fail = (error) => {
    if (!finish()) return;
    logError('Invoke Error', error);
    if (!stream.abort(error)) sendError(`/invocation/${id}/error`, error, ignore);
    next();
  };
  onIdle = () => fail(unsettled());
  const ended = new Promise((resolve) => stream.once('finish', resolve));
  Promise.resolve()
    .then(() => handler(event, stream, context))
    .then(async () => {
      await ended;
      if (finish()) next();
    })
    .catch(fail);
}

globalThis.awslambda = {
  streamifyResponse(streaming, options) {
    streaming[STREAMING] = 'response';
    if (options?.highWaterMark !== undefined)
      streaming[Symbol.for('aws.lambda.runtime.handler.streaming.highWaterMark')] = Number(options.highWaterMark);
    return streaming;
  },
  HttpResponseStream: {
    from(stream, prelude) {
      stream.setContentType(HTTP_INTEGRATION);
      stream.write(JSON.stringify(prelude));
      stream.write(Buffer.alloc(8));
      return stream;
    },
  },
};

loadHandler(env.LAMBDA_TASK_ROOT, env._HANDLER).then(
  (found) => {
    handler = found;
    next();
  },
  (error) => {
    logError('Uncaught Exception', error);
    failWith('/init/error', error, 1);
  },
);
