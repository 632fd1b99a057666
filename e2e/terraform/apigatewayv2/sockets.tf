# A WebSocket API with every setting of routes and stages.

resource "aws_apigatewayv2_api" "events" {
  name                         = "events"
  description                  = var.changed ? "Events of orders" : "Events"
  protocol_type                = "WEBSOCKET"
  route_selection_expression   = "$request.body.action"
  api_key_selection_expression = var.changed ? "$context.authorizer.usageIdentifierKey" : "$request.header.x-api-key"
}

resource "aws_apigatewayv2_authorizer" "events" {
  api_id           = aws_apigatewayv2_api.events.id
  name             = "events"
  authorizer_type  = "REQUEST"
  authorizer_uri   = aws_lambda_function.orders.invoke_arn
  identity_sources = ["route.request.header.Auth"]
}

resource "aws_apigatewayv2_integration" "events" {
  api_id                    = aws_apigatewayv2_api.events.id
  integration_type          = "AWS_PROXY"
  connection_type           = "INTERNET"
  content_handling_strategy = "CONVERT_TO_TEXT"
  description               = var.changed ? "Function" : "Handler"
  integration_method        = "POST"
  integration_uri           = aws_lambda_function.orders.invoke_arn
  passthrough_behavior      = "WHEN_NO_MATCH"
  timeout_milliseconds      = 5000
}

resource "aws_apigatewayv2_integration" "service" {
  api_id                        = aws_apigatewayv2_api.events.id
  integration_type              = "AWS"
  integration_method            = "POST"
  integration_uri               = "arn:aws:apigateway:eu-central-1:sqs:path/123456789012/orders"
  credentials_arn               = "arn:aws:iam::123456789012:role/orders"
  passthrough_behavior          = "NEVER"
  template_selection_expression = "\\$default"

  request_parameters = {
    "integration.request.header.Content-Type" = "'application/x-www-form-urlencoded'"
  }

  request_templates = {
    "$default" = "Action=SendMessage&MessageBody=$input.json('${var.changed ? "$" : "$.body"}')"
  }
}

resource "aws_apigatewayv2_integration_response" "service" {
  api_id                    = aws_apigatewayv2_api.events.id
  integration_id            = aws_apigatewayv2_integration.service.id
  integration_response_key  = "$default"
  content_handling_strategy = "CONVERT_TO_TEXT"

  template_selection_expression = "\\$default"
}

resource "aws_apigatewayv2_route" "connect" {
  api_id             = aws_apigatewayv2_api.events.id
  route_key          = "$connect"
  api_key_required   = true
  authorization_type = "CUSTOM"
  authorizer_id      = aws_apigatewayv2_authorizer.events.id
  operation_name     = var.changed ? "join" : "connect"
  target             = "integrations/${aws_apigatewayv2_integration.events.id}"

  request_parameter {
    request_parameter_key = "route.request.header.authorization"
    required              = var.changed
  }
}

resource "aws_apigatewayv2_route" "order" {
  api_id                     = aws_apigatewayv2_api.events.id
  route_key                  = "order"
  api_key_required           = true
  model_selection_expression = "action"
  target                     = "integrations/${aws_apigatewayv2_integration.service.id}"

  request_models = {
    order = aws_apigatewayv2_model.order.name
  }
}

resource "aws_apigatewayv2_route_response" "order" {
  api_id                     = aws_apigatewayv2_api.events.id
  route_id                   = aws_apigatewayv2_route.order.id
  route_response_key         = "$default"
  model_selection_expression = "action"

  response_models = {
    order = aws_apigatewayv2_model.order.name
  }
}

resource "aws_apigatewayv2_model" "order" {
  api_id       = aws_apigatewayv2_api.events.id
  name         = "Order"
  description  = var.changed ? "An order" : "Order"
  content_type = "application/json"

  schema = <<-E
    {
      "$schema": "http://json-schema.org/draft-04/schema#",
      "title": "Order",
      "type": "object",
      "properties": { "id": { "type": "string" } }
    }
  E
}

resource "aws_apigatewayv2_stage" "events" {
  api_id      = aws_apigatewayv2_api.events.id
  name        = "live"
  auto_deploy = true

  default_route_settings {
    data_trace_enabled       = var.changed
    detailed_metrics_enabled = true
    throttling_burst_limit   = 100
    throttling_rate_limit    = var.changed ? 60 : 50.5
  }

  route_settings {
    route_key              = "order"
    throttling_burst_limit = 10
    throttling_rate_limit  = 5
  }

  depends_on = [aws_apigatewayv2_route.order, aws_apigatewayv2_route.connect]
}

# In the second state the stage has no settings of routes.
resource "aws_apigatewayv2_stage" "plain" {
  api_id = aws_apigatewayv2_api.events.id
  name   = "plain"

  dynamic "default_route_settings" {
    for_each = var.changed ? [] : [1]
    content {
      logging_level            = "OFF"
      detailed_metrics_enabled = true
    }
  }
}

resource "aws_apigatewayv2_domain_name" "events" {
  domain_name = "events.shop.example"

  domain_name_configuration {
    certificate_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/${var.changed ? "other" : "shop"}"
    endpoint_type   = "REGIONAL"
    security_policy = "TLS_1_2"
  }

  tags = {
    Team = "shop"
  }
}

resource "aws_apigatewayv2_api_mapping" "events" {
  api_id      = aws_apigatewayv2_api.events.id
  domain_name = aws_apigatewayv2_domain_name.events.id
  stage       = var.changed ? aws_apigatewayv2_stage.plain.id : aws_apigatewayv2_stage.events.id
}
