variable "package" {
  type = string
}

resource "aws_cloudwatch_log_group" "orders" {
  name              = "/app/orders"
  retention_in_days = 14
  tags              = { Team = "orders" }
}

resource "aws_cloudwatch_log_stream" "first" {
  name           = "first"
  log_group_name = aws_cloudwatch_log_group.orders.name
}

resource "aws_cloudwatch_log_metric_filter" "errors" {
  name           = "errors"
  pattern        = "{ $.level = \"ERROR\" }"
  log_group_name = aws_cloudwatch_log_group.orders.name

  metric_transformation {
    name          = "Errors"
    namespace     = "Orders"
    value         = "1"
    default_value = "0"
  }
}

resource "aws_lambda_function" "sink" {
  function_name = "log-sink"
  role          = "arn:aws:iam::123456789012:role/app"
  runtime       = "nodejs20.x"
  handler       = "index.handler"
  filename      = var.package
}

resource "aws_lambda_permission" "logs" {
  statement_id  = "logs"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.sink.function_name
  principal     = "logs.eu-central-1.amazonaws.com"
  source_arn    = "${aws_cloudwatch_log_group.orders.arn}:*"
}

resource "aws_cloudwatch_log_subscription_filter" "to_function" {
  name            = "to-function"
  log_group_name  = aws_cloudwatch_log_group.orders.name
  filter_pattern  = "ERROR"
  destination_arn = aws_lambda_function.sink.arn
  depends_on      = [aws_lambda_permission.logs]
}

resource "aws_cloudwatch_log_resource_policy" "route53" {
  policy_name = "route53"
  policy_document = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "route53.amazonaws.com" }
      Action    = ["logs:CreateLogStream", "logs:PutLogEvents"]
      Resource  = "arn:aws:logs:*:*:log-group:/aws/route53/*"
    }]
  })
}

resource "aws_cloudwatch_event_bus" "logged" {
  name = "logged"
}

resource "aws_cloudwatch_log_group" "bus" {
  name = "/aws/vendedlogs/events/event-bus/logged"
}

resource "aws_cloudwatch_log_delivery_source" "bus" {
  name         = "bus-errors"
  log_type     = "ERROR_LOGS"
  resource_arn = aws_cloudwatch_event_bus.logged.arn
}

resource "aws_cloudwatch_log_delivery_destination" "bus" {
  name          = "bus-errors"
  output_format = "json"

  delivery_destination_configuration {
    destination_resource_arn = aws_cloudwatch_log_group.bus.arn
  }

  tags = { Team = "orders" }
}

resource "aws_cloudwatch_log_delivery" "bus" {
  delivery_source_name     = aws_cloudwatch_log_delivery_source.bus.name
  delivery_destination_arn = aws_cloudwatch_log_delivery_destination.bus.arn
  record_fields            = ["resource_arn", "message_timestamp_ms", "event_bus_name", "message_type", "log_level"]
}
