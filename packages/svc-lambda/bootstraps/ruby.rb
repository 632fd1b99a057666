# frozen_string_literal: true

# Runs a function's handler in Ruby: the runtime side of the Lambda Runtime API, over a bare socket.

require 'json'
require 'logger'
require 'socket'
require 'stringio'

$stdout.sync = true
$stderr.sync = true

# Names within this module cannot collide with those of functions.
module EmuRuntime
  API = '/2018-06-01/runtime'
  TASK_ROOT = ENV.fetch('LAMBDA_TASK_ROOT')
  JSON_LOGS = ENV['AWS_LAMBDA_LOG_FORMAT'] == 'JSON'

  # The one connection to the Runtime API.
  class Client
    def initialize(address)
      host, _, port = address.rpartition(':')
      @socket = TCPSocket.new(host, port.to_i)
      @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
      @head = { 'Host' => 'lambda' }
    end

    def message(method, target, body = nil, headers = {})
      lines = ["#{method} #{API}#{target} HTTP/1.1"]
      @head.merge(headers).each { |name, value| lines << "#{name}: #{value.to_s.gsub(/[^ -~]/, ' ')}" }
      lines << "Content-Length: #{body.bytesize}" if body
      "#{lines.join("\r\n")}\r\n\r\n".b + (body || '').b
    end

    def error(target, error, type)
      headers = { 'Content-Type' => 'application/json', 'Lambda-Runtime-Function-Error-Type' => type }
      message('POST', target, JSON.generate(error), headers)
    end

    def post(message)
      @socket.write(message)
      receive
    end

    # Sends the result of the last invocation and the request for the next in one write.
    def next(last)
      @socket.write(last + message('GET', '/invocation/next'))
      receive unless last.empty?
      receive
    end

    private

    def receive
      # The emulator has exited, so the runtime exits, too.
      exit!(1) unless @socket.gets("\r\n")
      headers = {}
      while (line = @socket.gets("\r\n")) && line != "\r\n"
        name, _, value = line.partition(':')
        headers[name.downcase] = value.strip
      end
      [headers, @socket.read(headers['content-length'].to_i)]
    end
  end

  # The context of an invocation for its handler.
  class Context
    attr_reader :aws_request_id, :invoked_function_arn, :log_group_name, :log_stream_name, :function_name,
                :memory_limit_in_mb, :function_version, :identity, :client_context, :deadline_ms

    def initialize(headers)
      @deadline_ms = headers['lambda-runtime-deadline-ms'].to_i
      @aws_request_id = headers['lambda-runtime-aws-request-id']
      @invoked_function_arn = headers['lambda-runtime-invoked-function-arn']
      @log_group_name = ENV['AWS_LAMBDA_LOG_GROUP_NAME']
      @log_stream_name = ENV['AWS_LAMBDA_LOG_STREAM_NAME']
      @function_name = ENV['AWS_LAMBDA_FUNCTION_NAME']
      @memory_limit_in_mb = ENV['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']
      @function_version = ENV['AWS_LAMBDA_FUNCTION_VERSION']
      @identity = parsed(headers['lambda-runtime-cognito-identity'])
      @client_context = parsed(headers['lambda-runtime-client-context'])
    end

    def get_remaining_time_in_millis
      [0, @deadline_ms - (Time.now.to_f * 1000).to_i].max
    end

    private

    def parsed(text)
      JSON.parse(text) if text
    end
  end

  # Formats lines of a Logger as AWS's runtime does.
  class Formatter < ::Logger::Formatter
    def call(severity, time, progname, msg)
      return "#{JSON.generate(fields(severity, time, progname, msg))}\n" if JSON_LOGS

      head = format('%s, [%s #%d] %5s %s -- %s: ', severity[0], format_datetime(time), Process.pid, severity,
                    EmuRuntime.request_id, progname)
      "#{EmuRuntime.joined(head + msg2str(msg))}\n"
    end

    private

    def fields(severity, time, progname, msg)
      text = msg.is_a?(Exception) ? msg.message : msg2str(msg)
      line = { timestamp: time.utc.strftime('%Y-%m-%dT%H:%M:%S.%6NZ'), level: severity, message: text,
               requestId: EmuRuntime.request_id, logger: progname }
      if msg.is_a?(Exception)
        trace = Array(msg.backtrace).map { |entry| EmuRuntime.shown(entry) }
        line.update(errorType: msg.class.to_s, errorMessage: msg.message, stackTrace: trace)
      end
      line.compact
    end
  end

  # Gives loggers of the outputs AWS's format.
  module LoggerFormat
    def initialize(logdev = nil, *arguments, **options)
      is_output = logdev.equal?($stdout) || logdev.equal?($stderr)
      options[:formatter] ||= Formatter.new if is_output
      super(logdev, *arguments, **options)
    end
  end

  # Writes the lines of one call as one log event.
  module Output
    def puts(*values)
      lines = values.flatten.map { |value| value.to_s.encode('UTF-8', invalid: :replace, undef: :replace) }
      $stdout.write("#{EmuRuntime.joined(lines.join("\n").chomp)}\n")
      nil
    end
  end

  class << self
    attr_accessor :request_id

    # Marks the newlines within one log event.
    def joined(text)
      text.gsub("\n", "\0\r")
    end

    # Returns a line of a stack trace with the path of the package on AWS.
    def shown(line)
      line.sub(/\A#{Regexp.escape(TASK_ROOT)}\//, '/var/task/')
    end

    # Describes an exception as AWS's runtime does. @return the error, and its type for the Runtime API
    def describe(exception, kind)
      trace = Array(exception.backtrace).take_while { |line| !line.start_with?(__FILE__) }.first(100)
      error = { errorMessage: exception.message, errorType: "#{kind}<#{exception.class}>",
                stackTrace: trace.map { |line| shown(line) } }
      standard = %w[ArgumentError NoMethodError Exception StandardError NameError LoadError SystemExit SystemStackError]
      type = standard.include?(exception.class.to_s) ? error[:errorType] : 'Function<UserException>'
      [error, type]
    end

    def log(title, error)
      $stdout.write("#{title}\n#{joined(JSON.pretty_generate(error))}\n")
    end

    # Loads the handler. @return a function of event and context
    def handler(full)
      file, *names, method = full.split('.')
      unless method && names.size <= 1
        raise ArgumentError, "Invalid handler #{full.split('.')}, must be of form FILENAME.METHOD or FILENAME.CLASS.METHOD where FILENAME corresponds with an existing Ruby source file FILENAME.rb, CLASS is an optional module/class namespace and METHOD is a callable method. If using CLASS, METHOD must be a class-level method."
      end

      $LOAD_PATH.unshift(TASK_ROOT)
      require file
      target = names.empty? ? TOPLEVEL_BINDING.receiver : nil
      ->(event, context) { (target || Kernel.const_get(names[0])).send(method, event: event, context: context) }
    end

    def run
      client = Client.new(ENV.fetch('AWS_LAMBDA_RUNTIME_API'))
      begin
        call = handler(ENV.fetch('_HANDLER'))
      rescue Exception => e # including those of the package, such as LoadError
        error, type = describe(e, 'Init')
        log("Init error when loading handler #{ENV.fetch('_HANDLER')}", error)
        client.post(client.error('/init/error', error, type))
        exit!(252)
      end
      last = ''.b
      loop do
        headers, body = client.next(last)
        last = invoke(client, call, headers, body)
      end
    end

    private

    # Runs one invocation. @return the message with its result
    def invoke(client, call, headers, body)
      self.request_id = headers['lambda-runtime-aws-request-id']
      ENV['_X_AMZN_TRACE_ID'] = headers['lambda-runtime-trace-id']
      target = "/invocation/#{request_id}"
      result = call.call(JSON.parse(body), Context.new(headers))
      is_stream = result.is_a?(StringIO) || result.is_a?(IO)
      content = is_stream ? result.read.to_s : result.to_json
      type = is_stream ? 'application/unknown' : 'application/json'
      client.message('POST', "#{target}/response", content, { 'Content-Type' => type })
    rescue NameError => e
      fatal(client, target, e)
    rescue StandardError => e
      error, type = describe(e, 'Function')
      log('Error raised from handler method', error)
      client.error("#{target}/error", error, type)
    rescue Exception => e # such as SystemExit and NoMemoryError
      fatal(client, target, e)
    end

    # Reports an error of the program, after which AWS's runtime ends.
    def fatal(client, target, exception)
      error, type = describe(exception, 'Function')
      log('Critical exception from handler', error)
      client.post(client.error("#{target}/error", error, type))
      exit!(255)
    end
  end
end

Logger.prepend(EmuRuntime::LoggerFormat)
Object.prepend(EmuRuntime::Output)
# Loaded once, under this name only.
EmuRuntime.run
