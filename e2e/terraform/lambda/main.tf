variable "package" {
  type = string
}

resource "aws_sqs_queue" "orders" {
  name                       = "lambda-orders"
  visibility_timeout_seconds = 60
}

resource "aws_lambda_layer_version" "shared" {
  layer_name          = "shared"
  filename            = var.package
  source_code_hash    = filebase64sha256(var.package)
  compatible_runtimes = ["nodejs20.x"]
}

resource "aws_lambda_function" "orders" {
  function_name                  = "orders"
  role                           = "arn:aws:iam::123456789012:role/orders"
  runtime                        = "nodejs20.x"
  handler                        = "index.handler"
  filename                       = var.package
  source_code_hash               = filebase64sha256(var.package)
  publish                        = true
  timeout                        = 10
  memory_size                    = 256
  reserved_concurrent_executions = 5
  layers                         = [aws_lambda_layer_version.shared.arn]

  environment {
    variables = {
      TABLE = "orders"
    }
  }

  ephemeral_storage {
    size = 1024
  }

  tracing_config {
    mode = "Active"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.orders.function_name
  function_version = aws_lambda_function.orders.version
}

resource "aws_lambda_function_url" "live" {
  function_name      = aws_lambda_function.orders.function_name
  qualifier          = aws_lambda_alias.live.name
  authorization_type = "NONE"

  cors {
    allow_origins = ["https://example.com"]
    allow_methods = ["GET"]
    max_age       = 60
  }
}

resource "aws_lambda_permission" "bucket" {
  statement_id  = "bucket"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.orders.function_name
  qualifier     = aws_lambda_alias.live.name
  principal     = "s3.amazonaws.com"
  source_arn    = "arn:aws:s3:::orders"
}

resource "aws_lambda_function_event_invoke_config" "orders" {
  function_name                = aws_lambda_function.orders.function_name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}

resource "aws_lambda_event_source_mapping" "orders" {
  event_source_arn        = aws_sqs_queue.orders.arn
  function_name           = aws_lambda_alias.live.arn
  batch_size              = 5
  function_response_types = ["ReportBatchItemFailures"]

  filter_criteria {
    filter {
      pattern = jsonencode({ body = { kind = ["order"] } })
    }
  }

  scaling_config {
    maximum_concurrency = 2
  }
}
