/* Compiles the modules of a folder for the Python of the page: node compile.mjs PYODIDE FOLDER. A compiled module takes the
   place of its source; of a package an empty source stays, by which rule systems are found. What nobody sees there is left
   out: the lines of tracebacks, and the docstrings of all but classes, which the help is made of. */
import { pathToFileURL } from "node:url";

const [where, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${where}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${where}/` });
python.mountNodeFS("/folder", folder);
python.runPython(`
import ast, importlib.util, os
from importlib._bootstrap_external import _code_to_hash_pyc

def bare(text, name):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node, False) is not None:
            node.body[0:1] = [] if node.body[1:] else [ast.copy_location(ast.Pass(), node.body[0])]
    return unlined(compile(tree, name, "exec", dont_inherit=True))

def unlined(code):
    inner = tuple(unlined(one) if hasattr(one, "co_consts") else one for one in code.co_consts)
    return code.replace(co_consts=inner, co_linetable=b"")

for at, _, names in os.walk("/folder"):
    for name in names:
        if name.endswith(".py"):
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                text = file.read()
            found = path + "c"
            if name == "__init__.py":
                found = importlib.util.cache_from_source(path)
                os.makedirs(os.path.dirname(found), exist_ok=True)
            with open(found, "wb") as file:
                file.write(_code_to_hash_pyc(bare(text, name), importlib.util.source_hash(text), checked=False))
            if name == "__init__.py":
                open(path, "w").close()
            else:
                os.remove(path)
`);
process.exit(0);
