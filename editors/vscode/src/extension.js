// The client: starts `alphaz lsp`, takes scripts from C#, and shows figures.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { isScript } = require("./claim");
const { page } = require("./page");

const DRAW = "alphaz.draw";
let client;

async function claim(document) {
  const wanted = vscode.workspace.getConfiguration("alphaz").get("claimScripts");
  if (wanted && document.languageId === "csharp" && isScript(document.getText())) {
    await vscode.languages.setTextDocumentLanguage(document, "alphaz-script");
  }
}

function show(answer, system) {
  if (!answer || !answer.svg) {
    vscode.window.showInformationMessage(`alphaz: ${answer ? answer.reason : "no figure"}`);
    return;
  }
  const panel = vscode.window.createWebviewPanel("alphaz", `alphaz: ${system}`, vscode.ViewColumn.Beside, {});
  panel.webview.html = page(answer.svg);
}

async function activate(context) {
  vscode.workspace.textDocuments.forEach(claim);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(claim));
  const [command, ...args] = vscode.workspace.getConfiguration("alphaz").get("command");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  client = new LanguageClient(
    "alphaz",
    "alphaz",
    { command, args, options: { cwd: folder } },
    {
      documentSelector: [{ language: "alphabets" }, { language: "alphaz-script" }],
      middleware: {
        executeCommand: async (name, given, next) => {
          const answer = await next(name, given);
          if (name === DRAW) show(answer, given[1]);
          return answer;
        },
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `alphaz: \`${command}\` does not start (install alphaz with its extra lsp, and say where it is in the setting alphaz.command): ${error.message}`,
    );
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
