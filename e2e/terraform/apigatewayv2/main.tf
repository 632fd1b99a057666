variable "package" {
  type = string
}

resource "aws_lambda_function" "orders" {
  function_name    = "http-orders"
  role             = "arn:aws:iam::123456789012:role/orders"
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_lambda_permission" "api" {
  statement_id  = "api"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.orders.function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_apigatewayv2_api.http.execution_arn}/*/*"
}

resource "aws_cloudwatch_log_group" "access" {
  name = "/http/access"
}

resource "aws_apigatewayv2_api" "http" {
  name          = "orders"
  protocol_type = "HTTP"
  description   = "orders by HTTP"
  version       = "1"

  cors_configuration {
    allow_origins = ["https://shop.example"]
    allow_methods = ["GET", "POST"]
    allow_headers = ["authorization"]
    max_age       = 300
  }

  tags = {
    _custom_id_ = "tf-http"
    Team        = "orders"
  }
}

resource "aws_apigatewayv2_integration" "orders" {
  api_id                 = aws_apigatewayv2_api.http.id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.orders.invoke_arn
  payload_format_version = "2.0"
  timeout_milliseconds   = 10000
}

resource "aws_apigatewayv2_integration" "site" {
  api_id             = aws_apigatewayv2_api.http.id
  integration_type   = "HTTP_PROXY"
  integration_method = "ANY"
  integration_uri    = "https://site.example/{proxy}"

  request_parameters = {
    "append:header.x-stage" = "$context.stage"
  }

  response_parameters {
    status_code = 404
    mappings = {
      "overwrite:statuscode" = "410"
    }
  }
}

resource "aws_apigatewayv2_authorizer" "jwt" {
  api_id           = aws_apigatewayv2_api.http.id
  name             = "jwt"
  authorizer_type  = "JWT"
  identity_sources = ["$request.header.Authorization"]

  jwt_configuration {
    issuer   = "https://issuer.example"
    audience = ["orders"]
  }
}

resource "aws_apigatewayv2_authorizer" "function" {
  api_id                            = aws_apigatewayv2_api.http.id
  name                              = "function"
  authorizer_type                   = "REQUEST"
  authorizer_uri                    = aws_lambda_function.orders.invoke_arn
  authorizer_payload_format_version = "2.0"
  authorizer_result_ttl_in_seconds  = 60
  enable_simple_responses           = true
  identity_sources                  = ["$request.header.x-token"]
}

resource "aws_apigatewayv2_route" "open" {
  api_id    = aws_apigatewayv2_api.http.id
  route_key = "GET /orders"
  target    = "integrations/${aws_apigatewayv2_integration.orders.id}"
}

resource "aws_apigatewayv2_route" "closed" {
  api_id               = aws_apigatewayv2_api.http.id
  route_key            = "POST /orders"
  target               = "integrations/${aws_apigatewayv2_integration.orders.id}"
  authorization_type   = "JWT"
  authorizer_id        = aws_apigatewayv2_authorizer.jwt.id
  authorization_scopes = ["write"]
}

resource "aws_apigatewayv2_route" "site" {
  api_id             = aws_apigatewayv2_api.http.id
  route_key          = "ANY /site/{proxy+}"
  target             = "integrations/${aws_apigatewayv2_integration.site.id}"
  authorization_type = "CUSTOM"
  authorizer_id      = aws_apigatewayv2_authorizer.function.id
}

resource "aws_apigatewayv2_stage" "default" {
  api_id      = aws_apigatewayv2_api.http.id
  name        = "$default"
  auto_deploy = true

  stage_variables = {
    color = "red"
  }

  default_route_settings {
    throttling_burst_limit = 50
    throttling_rate_limit  = 100
  }

  route_settings {
    route_key              = aws_apigatewayv2_route.open.route_key
    throttling_burst_limit = 10
    throttling_rate_limit  = 20
  }

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "$context.requestId $context.routeKey $context.status"
  }
}

resource "aws_apigatewayv2_domain_name" "shop" {
  domain_name = "api.shop.example"

  domain_name_configuration {
    certificate_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/shop"
    endpoint_type   = "REGIONAL"
    security_policy = "TLS_1_2"
  }
}

resource "aws_apigatewayv2_api_mapping" "shop" {
  api_id          = aws_apigatewayv2_api.http.id
  domain_name     = aws_apigatewayv2_domain_name.shop.id
  stage           = aws_apigatewayv2_stage.default.id
  api_mapping_key = "v1"
}

resource "aws_apigatewayv2_api" "socket" {
  name                       = "chat"
  protocol_type              = "WEBSOCKET"
  route_selection_expression = "$request.body.action"
}

resource "aws_apigatewayv2_integration" "ping" {
  api_id           = aws_apigatewayv2_api.socket.id
  integration_type = "MOCK"

  request_templates = {
    "$default" = jsonencode({ statusCode = 200 })
  }

  template_selection_expression = "\\$default"
}

resource "aws_apigatewayv2_integration_response" "ping" {
  api_id                   = aws_apigatewayv2_api.socket.id
  integration_id           = aws_apigatewayv2_integration.ping.id
  integration_response_key = "/200/"

  response_templates = {
    "$default" = jsonencode({ pong = "$context.connectionId" })
  }
}

resource "aws_apigatewayv2_route" "ping" {
  api_id                              = aws_apigatewayv2_api.socket.id
  route_key                           = "$default"
  target                              = "integrations/${aws_apigatewayv2_integration.ping.id}"
  route_response_selection_expression = "$default"
}

resource "aws_apigatewayv2_route_response" "ping" {
  api_id             = aws_apigatewayv2_api.socket.id
  route_id           = aws_apigatewayv2_route.ping.id
  route_response_key = "$default"
}

resource "aws_apigatewayv2_model" "message" {
  api_id       = aws_apigatewayv2_api.socket.id
  name         = "Message"
  content_type = "application/json"
  schema       = jsonencode({ type = "object" })
}

resource "aws_apigatewayv2_deployment" "chat" {
  api_id      = aws_apigatewayv2_api.socket.id
  description = "first"
  depends_on  = [aws_apigatewayv2_route.ping, aws_apigatewayv2_route_response.ping]
}

resource "aws_apigatewayv2_stage" "chat" {
  api_id        = aws_apigatewayv2_api.socket.id
  name          = "live"
  deployment_id = aws_apigatewayv2_deployment.chat.id
}

resource "aws_apigatewayv2_vpc_link" "inside" {
  name               = "inside"
  subnet_ids         = ["subnet-0123456789abcdef0"]
  security_group_ids = ["sg-0123456789abcdef0"]

  tags = {
    Team = "orders"
  }
}
