-- Longbox
-- SPDX-License-Identifier: MIT
-- For wrk: asks for the paths of a file, a line each, in turn.

local requests = {}
local nextRequest = 0

function init(arguments)
  for path in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  nextRequest = nextRequest % #requests + 1
  return requests[nextRequest]
end
