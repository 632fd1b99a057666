variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "function" {
  name = "lambda-settings"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_sqs_queue" "failed" {
  name = "lambda-failed"
}

resource "aws_s3_bucket" "packages" {
  bucket        = "terraform-lambda-packages"
  force_destroy = true
}

resource "aws_s3_object" "package" {
  bucket = aws_s3_bucket.packages.id
  key    = "package.zip"
  source = var.package
}

resource "aws_cloudwatch_log_group" "settings" {
  name = "lambda-settings"
}

resource "aws_lambda_code_signing_config" "trusted" {
  description = var.changed ? "Signed code" : "Signed"

  allowed_publishers {
    signing_profile_version_arns = [
      "arn:aws:signer:eu-central-1:123456789012:/signing-profiles/first/0123456789",
    ]
  }

  policies {
    untrusted_artifact_on_deployment = "Warn"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_lambda_function" "settings" {
  function_name           = "lambda-settings"
  description             = var.changed ? "All settings" : "Settings"
  role                    = aws_iam_role.function.arn
  runtime                 = var.changed ? "nodejs22.x" : "nodejs20.x"
  handler                 = var.changed ? "index.other" : "index.handler"
  architectures           = ["arm64"]
  s3_bucket               = aws_s3_bucket.packages.id
  s3_key                  = aws_s3_object.package.key
  memory_size             = var.changed ? 512 : 128
  timeout                 = var.changed ? 30 : 3
  kms_key_arn             = aws_kms_key.functions.arn
  code_signing_config_arn = aws_lambda_code_signing_config.trusted.arn

  dead_letter_config {
    target_arn = aws_sqs_queue.failed.arn
  }

  dynamic "environment" {
    for_each = var.changed ? [] : [1]
    content {
      variables = {
        STAGE = "test"
      }
    }
  }

  logging_config {
    log_format            = "JSON"
    log_group             = aws_cloudwatch_log_group.settings.name
    application_log_level = var.changed ? "DEBUG" : "INFO"
    system_log_level      = "WARN"
  }

  tracing_config {
    mode = "PassThrough"
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_kms_key" "functions" {
  description             = "lambda-functions"
  deletion_window_in_days = 7
}

resource "aws_lambda_function" "versions" {
  function_name    = "lambda-versions"
  role             = aws_iam_role.function.arn
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  publish          = true
  description      = var.changed ? "Second" : "First"
}

resource "aws_lambda_function" "snapped" {
  function_name    = "lambda-snapped"
  role             = aws_iam_role.function.arn
  runtime          = "python3.12"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  publish          = true
  description      = var.changed ? "Second" : "First"

  snap_start {
    apply_on = "PublishedVersions"
  }
}

resource "aws_lambda_alias" "shifting" {
  name             = "shifting"
  description      = var.changed ? "Second" : "First"
  function_name    = aws_lambda_function.versions.arn
  function_version = "1"

  dynamic "routing_config" {
    for_each = var.changed ? [1] : []
    content {
      additional_version_weights = {
        "2" = 0.5
      }
    }
  }

  depends_on = [aws_lambda_function.versions]
}

resource "aws_lambda_provisioned_concurrency_config" "shifting" {
  function_name                     = aws_lambda_function.versions.function_name
  provisioned_concurrent_executions = var.changed ? 2 : 1
  qualifier                         = "1"
}

resource "aws_lambda_function_recursion_config" "versions" {
  function_name  = aws_lambda_function.versions.function_name
  recursive_loop = var.changed ? "Terminate" : "Allow"
}

resource "aws_lambda_runtime_management_config" "versions" {
  function_name     = aws_lambda_function.versions.function_name
  update_runtime_on = var.changed ? "Auto" : "FunctionUpdate"
}

resource "aws_lambda_runtime_management_config" "manual" {
  function_name       = aws_lambda_function.versions.function_name
  qualifier           = "1"
  update_runtime_on   = "Manual"
  runtime_version_arn = "arn:aws:lambda:eu-central-1::runtime:0123456789012345678901234567890123456789012345678901234567890123"
}

resource "aws_lambda_invocation" "once" {
  function_name = aws_lambda_function.versions.function_name

  triggers = {
    state = var.changed ? "2" : "1"
  }

  input = jsonencode({
    key = var.changed ? "second" : "first"
  })
}

resource "aws_lambda_invocation" "always" {
  function_name   = aws_lambda_function.versions.function_name
  lifecycle_scope = "CRUD"

  input = jsonencode({
    key = var.changed ? "second" : "first"
  })
}

resource "aws_lambda_layer_version" "described" {
  layer_name               = "described"
  description              = var.changed ? "Second" : "First"
  license_info             = "MIT"
  s3_bucket                = aws_s3_bucket.packages.id
  s3_key                   = aws_s3_object.package.key
  compatible_runtimes      = ["nodejs20.x", "python3.12"]
  compatible_architectures = ["arm64", "x86_64"]
}

resource "aws_lambda_layer_version_permission" "described" {
  layer_name     = "described"
  version_number = aws_lambda_layer_version.described.version
  statement_id   = "share"
  action         = "lambda:GetLayerVersion"
  principal      = "111111111111"
}

resource "aws_lambda_function_event_invoke_config" "versions" {
  function_name          = aws_lambda_function.versions.function_name
  qualifier              = "$LATEST"
  maximum_retry_attempts = var.changed ? 1 : 2

  destination_config {
    on_failure {
      destination = aws_sqs_queue.failed.arn
    }

    dynamic "on_success" {
      for_each = var.changed ? [] : [1]
      content {
        destination = aws_sqs_queue.failed.arn
      }
    }
  }
}

resource "aws_lambda_function_url" "streamed" {
  function_name      = aws_lambda_function.versions.function_name
  authorization_type = "AWS_IAM"
  invoke_mode        = var.changed ? "BUFFERED" : "RESPONSE_STREAM"

  cors {
    allow_credentials = true
    allow_origins     = var.changed ? ["https://shop.example"] : ["*"]
    allow_methods     = ["*"]
    allow_headers     = ["date", "keep-alive"]
    expose_headers    = ["keep-alive", "date"]
    max_age           = 86400
  }
}

resource "aws_lambda_permission" "each" {
  for_each = {
    account  = { principal = "arn:aws:iam::111111111111:root" }
    api      = { principal = "apigateway.amazonaws.com", arn = "arn:aws:execute-api:eu-central-1:123456789012:abc/*/*/*" }
    bucket   = { principal = "s3.amazonaws.com", arn = "arn:aws:s3:::orders", account = "123456789012" }
    logs     = { principal = "logs.eu-central-1.amazonaws.com", arn = "arn:aws:logs:eu-central-1:123456789012:log-group:orders:*" }
    alexa    = { principal = "alexa-appkit.amazon.com", token = var.changed ? "other" : "token" }
    everyone = { principal = "*", organization = "o-0123456789" }
  }

  action             = "lambda:InvokeFunction"
  function_name      = aws_lambda_function.versions.function_name
  principal          = each.value.principal
  source_arn         = lookup(each.value, "arn", null)
  source_account     = lookup(each.value, "account", null)
  event_source_token = lookup(each.value, "token", null)
  principal_org_id   = lookup(each.value, "organization", null)
}

resource "aws_lambda_permission" "url" {
  statement_id_prefix    = "url-"
  action                 = "lambda:InvokeFunctionUrl"
  function_name          = aws_lambda_function.versions.arn
  principal              = "arn:aws:iam::111111111111:role/caller"
  function_url_auth_type = "AWS_IAM"
}

resource "aws_kinesis_stream" "orders" {
  name        = "lambda-orders"
  shard_count = 1
}

resource "aws_dynamodb_table" "orders" {
  name             = "lambda-orders"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_IMAGE"

  attribute {
    name = "id"
    type = "S"
  }
}

resource "aws_lambda_event_source_mapping" "stream" {
  event_source_arn                   = aws_kinesis_stream.orders.arn
  function_name                      = aws_lambda_function.versions.arn
  starting_position                  = "TRIM_HORIZON"
  batch_size                         = var.changed ? 50 : 100
  maximum_batching_window_in_seconds = 1
  maximum_retry_attempts             = var.changed ? -1 : 3
  maximum_record_age_in_seconds      = var.changed ? -1 : 120
  bisect_batch_on_function_error     = !var.changed
  tumbling_window_in_seconds         = var.changed ? 60 : 30
  enabled                            = var.changed

  destination_config {
    on_failure {
      destination_arn = aws_sqs_queue.failed.arn
    }
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_lambda_event_source_mapping" "table" {
  event_source_arn  = aws_dynamodb_table.orders.stream_arn
  function_name     = aws_lambda_function.versions.function_name
  starting_position = "LATEST"

  parallelization_factor = 2

  dynamic "filter_criteria" {
    for_each = var.changed ? [] : [1]
    content {
      filter {
        pattern = jsonencode({ eventName = ["INSERT"] })
      }
    }
  }

  metrics_config {
    metrics = ["EventCount"]
  }
}

resource "aws_lambda_event_source_mapping" "queue" {
  event_source_arn                   = aws_sqs_queue.polled.arn
  function_name                      = aws_lambda_function.versions.arn
  kms_key_arn                        = aws_kms_key.functions.arn
  maximum_batching_window_in_seconds = 5
  batch_size                         = 100

  filter_criteria {
    filter {
      pattern = jsonencode({ body = { kind = [var.changed ? "shop" : "order"] } })
    }
  }
}

resource "aws_sqs_queue" "polled" {
  name = "lambda-polled"
}
