-- Longbox
-- SPDX-License-Identifier: MIT
-- For wrk: sends the requests of a file in turn. A line is a path, and perhaps, after tabs, a reader's cookie and a form.

local requests = {}
local nextRequest = 0

function init(arguments)
  local origin = wrk.scheme .. "://" .. wrk.headers["Host"]
  for line in io.lines(arguments[1]) do
    local path, cookie, form = line:match("^([^\t]*)\t?([^\t]*)\t?(.*)$")
    local headers = {}
    if cookie ~= "" then headers["Cookie"] = cookie end
    if form == "" then
      requests[#requests + 1] = wrk.format("GET", path, headers)
    else
      headers["Origin"] = origin
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      requests[#requests + 1] = wrk.format("POST", path, headers, form)
    end
  end
end

function request()
  nextRequest = nextRequest % #requests + 1
  return requests[nextRequest]
end
