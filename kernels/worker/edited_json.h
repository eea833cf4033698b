#pragma once

#include <nlohmann/json.hpp>

#include "kernels/worker/edited_messages.h"
#include "kernels/worker/json_fields.h"

/// The JSON of edited_messages.h, for protocol.cpp.
namespace lanescope {

nlohmann::ordered_json toJson(const CompileRunRequest& r);
nlohmann::ordered_json toJson(const CountersRequest& r);
nlohmann::ordered_json toJson(const CompiledMessage& m);
nlohmann::ordered_json toJson(const OutputMessage& m);
nlohmann::ordered_json toJson(const WordsMessage& m);
nlohmann::ordered_json toJson(const TimedMessage& m);
nlohmann::ordered_json toJson(const CountersMessage& m);

CompileRunRequest readCompileRun(JsonFields& fields);
CountersRequest readCountersRequest(JsonFields& fields);
CompiledMessage readCompiled(JsonFields& fields);
OutputMessage readOutput(JsonFields& fields);
WordsMessage readWords(JsonFields& fields);
TimedMessage readTimed(JsonFields& fields);
CountersMessage readCounters(JsonFields& fields);

}  // namespace lanescope
