variable "package" {
  type = string
}

resource "aws_sqs_queue" "orders" {
  name = "events-orders"
}

resource "aws_sqs_queue" "dead" {
  name = "events-dead"
}

resource "aws_lambda_function" "orders" {
  function_name    = "events-orders"
  role             = "arn:aws:iam::123456789012:role/orders"
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_lambda_permission" "orders" {
  statement_id  = "events"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.orders.function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.large.arn
}

resource "aws_kms_key" "events" {
  description = "events of the shop"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Principal = { AWS = "*" }, Action = "kms:*", Resource = "*" },
      {
        Effect    = "Allow"
        Principal = { Service = "events.amazonaws.com" }
        Action    = ["kms:DescribeKey", "kms:GenerateDataKey", "kms:Decrypt", "kms:ReEncrypt*"]
        Resource  = "*"
      },
    ]
  })
}

resource "aws_cloudwatch_event_bus" "orders" {
  name               = "orders"
  description        = "of the shop"
  kms_key_identifier = aws_kms_key.events.arn
  tags               = { Team = "orders" }
}

resource "aws_cloudwatch_event_permission" "partner" {
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  principal      = "000000000002"
  statement_id   = "partner"
}

resource "aws_cloudwatch_event_rule" "large" {
  name           = "large"
  description    = "orders of more than a hundred"
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  event_pattern = jsonencode({
    source = ["shop"]
    detail = { total = [{ numeric = [">", 100] }] }
  })
  tags = { Team = "orders" }
}

resource "aws_cloudwatch_event_target" "queue" {
  rule           = aws_cloudwatch_event_rule.large.name
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  target_id      = "queue"
  arn            = aws_sqs_queue.orders.arn

  input_transformer {
    input_paths = {
      id     = "$.detail.id"
      source = "$.source"
    }
    input_template = "{\"order\": <id>, \"text\": \"Order <id> of <source>\"}"
  }

  dead_letter_config {
    arn = aws_sqs_queue.dead.arn
  }

  retry_policy {
    maximum_event_age_in_seconds = 60
    maximum_retry_attempts       = 2
  }
}

resource "aws_cloudwatch_event_target" "function" {
  rule           = aws_cloudwatch_event_rule.large.name
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  target_id      = "function"
  arn            = aws_lambda_function.orders.arn
}

resource "aws_cloudwatch_event_rule" "nightly" {
  name                = "nightly"
  schedule_expression = "cron(0 3 * * ? *)"
  state               = "DISABLED"
}

resource "aws_cloudwatch_event_archive" "orders" {
  name             = "orders"
  event_source_arn = aws_cloudwatch_event_bus.orders.arn
  retention_days   = 7
  event_pattern    = jsonencode({ source = ["shop"] })
}

resource "aws_cloudwatch_event_connection" "shop" {
  name               = "shop"
  authorization_type = "API_KEY"

  auth_parameters {
    api_key {
      key   = "x-key"
      value = "secret"
    }

    invocation_http_parameters {
      header {
        key             = "x-shop"
        value           = "7"
        is_value_secret = false
      }
    }
  }
}

resource "aws_cloudwatch_event_api_destination" "shop" {
  name                             = "shop"
  invocation_endpoint              = "https://shop.example.com/orders"
  http_method                      = "POST"
  invocation_rate_limit_per_second = 20
  connection_arn                   = aws_cloudwatch_event_connection.shop.arn
}
